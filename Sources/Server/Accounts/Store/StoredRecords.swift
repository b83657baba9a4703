import AppleIdentity
import Foundation

/// A value that belongs to an account.
struct Owned<Value: Sendable>: Sendable {
    var account: AccountID
    var value: Value
}

/// A session and the hash of its token.
struct StoredSession: Sendable {
    var session: Session
    var tokenHash: SecretHash
}

/// The name from a sign-in that is not completed.
struct PendingName: Sendable {
    var person: ApplePerson
    var name: AccountName
    var createdAt: Date
}

/// A value that may be used once.
struct UsedHash: Sendable {
    var hash: SecretHash
    var rememberedUntil: Date
}

/// A processed notification.
struct StoredEvent: Sendable {
    var notificationHash: SecretHash
    var eventHash: SecretHash
    var personHash: SecretHash
    var consentEndedAt: Date?
    var rememberedUntil: Date
}

extension StoredEvent {
    init(_ event: AppleEvent) {
        notificationHash = event.notificationHash
        eventHash = event.eventHash
        personHash = event.person.hash
        consentEndedAt = event.endsConsent ? event.eventTime : nil
        rememberedUntil = event.rememberedUntil
    }
}

/// An outbox entry whose task may be unreadable.
struct StoredEntry: Sendable {
    var id: OutboxID = ""
    var kind = ""
    var payload = ""
    var person: SecretHash?
    var waitsFor: OutboxID?
    var createdAt = Date(timeIntervalSince1970: 0)
    var attemptCount = 0
}

extension StoredEntry {
    init(_ entry: OutboxEntry) throws(AccountStoreError) {
        id = entry.id
        kind = entry.task.kind.rawValue
        payload = try entry.task.payload()
        person = entry.person
        waitsFor = entry.waitsFor
        createdAt = entry.createdAt
        attemptCount = entry.attemptCount
    }

    /// The entry; nil when its task can't be read.
    var entry: OutboxEntry? {
        guard let kind = OutboxTask.Kind(rawValue: kind),
            let task = try? OutboxTask(kind: kind, payload: payload)
        else { return nil }
        return OutboxEntry(
            id: id,
            task: task,
            person: person,
            waitsFor: waitsFor,
            createdAt: createdAt,
            attemptCount: attemptCount
        )
    }
}

extension AccountSnapshot {
    func storedText() throws(AccountStoreError) -> String {
        do {
            return String(decoding: try JSONEncoder().encode(self), as: UTF8.self)
        } catch {
            throw AccountStoreError(.failed, hint: "the link of a mail can't be encoded")
        }
    }

    init(storedText text: String) throws(AccountStoreError) {
        do {
            self = try JSONDecoder().decode(AccountSnapshot.self, from: Data(text.utf8))
        } catch {
            throw AccountStoreError(.failed, hint: "the link of a mail can't be read")
        }
    }
}
