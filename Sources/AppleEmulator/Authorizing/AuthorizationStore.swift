import Foundation

/// The authorizations on their way, the signed-in browsers and the decisions given beforehand.
struct AuthorizationStore {
    /// How many authorizations may be on their way; the oldest goes first.
    static let maximumTransactionCount = 1_000
    /// How many browsers may be signed in.
    static let maximumSessionCount = 1_000
    /// How many decisions may wait.
    static let maximumDecisionCount = 1_000

    var transactions = BoundedTable<Transaction>(maximumCount: maximumTransactionCount)
    var sessions = BoundedTable<BrowserSession>(maximumCount: maximumSessionCount)
    private(set) var decisions: [Decision] = []

    func session(_ identifier: String?, at time: Date) -> BrowserSession? {
        identifier.flatMap { sessions[$0] }?.keeping { !$0.isExpired(at: time) }
    }

    private mutating func keepSignedIn(_ isWanted: (SignedInPerson) -> Bool) {
        sessions.removeAll { $0.keeping(isWanted) == nil }
        sessions.updateAll { $0 = $0.keeping(isWanted) ?? $0 }
    }

    mutating func add(_ decision: Decision) throws(ControlRefusal) {
        guard decisions.count < Self.maximumDecisionCount else {
            throw .wrong("decision", "can't wait: \(Self.maximumDecisionCount) wait already")
        }
        decisions.append(decision)
    }

    /// Puts a decision before those that wait.
    mutating func putFirst(_ decision: Decision) { decisions.insert(decision, at: 0) }

    mutating func takeDecision() -> Decision? {
        decisions.isEmpty ? nil : decisions.removeFirst()
    }

    /// Forgets what began after a time, which the clock was moved back to.
    mutating func forget(after time: Date) {
        keepSignedIn { $0.authenticatedAt <= time }
        transactions.removeAll { $0.startedAt > time }
    }

    /// Forgets a person who is gone.
    mutating func forget(_ personID: PersonID) {
        signOut(personID)
        decisions.removeAll { $0.personID == personID }
    }

    /// Signs a person out of every browser, also in the midst of a sheet.
    mutating func signOut(_ personID: PersonID) {
        keepSignedIn { $0.personID != personID }
        transactions.removeAll {
            switch $0.step {
            case .signIn, .chooser: false
            case .twoFactor(let id, _), .sheet(let id, _): id == personID
            }
        }
    }
}
