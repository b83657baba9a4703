import Foundation
import Logging

/// What came of checking a password.
struct CheckedPassword: Sendable {
    /// What it was checked against; nil when there is none.
    var stored: StoredPassword?
    var finding: PasswordHasher.Finding
    /// The count of the account or of the known device, which ends with the right password.
    var forgotten: SecretHash
    /// The count of the address, in which only wrong passwords stay.
    var returned: [ThrottleUse]
    /// For another hash.
    let turn: PasswordHasher.Turn
}

extension AccountsService {
    /// Counts an attempt of somebody who is not signed in, and checks the password, if the counts let it.
    func check(_ candidate: PasswordCandidate) async throws(AccountsError) -> CheckedPassword {
        let username = try? Username(candidate.username)
        let byAccount = ThrottleUse(
            key: throttleKeys.key("password", username?.text ?? typedKey(candidate.username)),
            policy: .passwordByAccount
        )
        let byAddress = addressCount(candidate.client)
        let device = KnownDevice(candidate.client.knownDevice, of: username, sealer)
        let byDevice = device.map { device in
            ThrottleUse(
                key: throttleKeys.key("password device", device.number),
                policy: .passwordByAccount
            )
        }
        var counts = [byDevice ?? byAccount, byAddress]
        let turn = try await hasher.turn(of: counts.map(\.key))
        var stored = try await challenge(username, counts)
        if let device, stored?.changedAt.microseconds != device.passwordChangedAt {
            counts[0] = byAccount
            stored = try await challenge(username, [byAccount])
        }
        return try await check(candidate.password, stored, counts, candidate.client, turn)
    }

    /// Checks the current password of who wants another one.
    ///
    /// It is counted by the sign-in alone, with the sessions derived from it: nobody else's guesses keep anybody from
    /// another password.
    func current(
        _ change: PasswordChange,
        _ username: Username,
        _ session: Session
    ) async throws(AccountsError) -> CheckedPassword {
        let counts = [
            ThrottleUse(
                key: throttleKeys.key(
                    "password change",
                    "\(session.accountID) \(session.signedInAt.microseconds)"
                ),
                policy: .passwordByAccount
            )
        ]
        let turn = try await hasher.turn(of: counts.map(\.key))
        let stored = try await challenge(username, counts)
        let password = change.currentPassword ?? ""
        let attempt = try await check(password, stored, counts, change.client, turn)
        guard attempt.stored != nil, attempt.finding != .wrong else { throw .credentialsInvalid }
        return attempt
    }

    private func check(
        _ password: String,
        _ stored: StoredPassword?,
        _ counts: [ThrottleUse],
        _ client: ClientDescription,
        _ turn: PasswordHasher.Turn
    ) async throws(AccountsError) -> CheckedPassword {
        // A password that no account can have is checked against nothing, which takes as long.
        let normalized = PasswordRules.normalized(password)
        let finding = try await turn.check(
            normalized ?? "",
            against: normalized == nil ? nil : stored?.hash
        )
        if stored == nil || finding == .wrong {
            logger.notice("password refused")
            await recordRefusal(.credentialsInvalid, of: stored?.account, client)
        }
        return CheckedPassword(
            stored: stored,
            finding: finding,
            forgotten: counts[0].key,
            returned: Array(counts.dropFirst()),
            turn: turn
        )
    }

    /// Admits a first password, which nothing has to be checked against.
    func firstPassword(
        _ username: Username,
        _ session: Session,
        _ client: ClientDescription
    ) async throws(AccountsError) -> CheckedPassword {
        guard now.timeIntervalSince(session.signedInAt) <= configuration.recentSignInLimit else {
            throw AccountsError(AccountChangeRefusal.signInTooOld)
        }
        let byAccount = ThrottleUse(
            key: throttleKeys.key("first password", session.accountID.rawValue),
            policy: .passwordByAccount
        )
        let byAddress = addressCount(client)
        let turn = try await admit(username, [byAccount, byAddress])
        return CheckedPassword(
            stored: nil,
            finding: .right,
            forgotten: byAccount.key,
            returned: [byAddress],
            turn: turn
        )
    }

    /// What a browser keeps after its person has signed in with a password, or set one.
    ///
    /// Sent along as ``ClientDescription/knownDevice``, it has the browser's wrong passwords counted apart from those of strangers.
    ///
    /// - Parameter account: the account.
    /// - Returns: a sealed text; nil when there is no password, or the store fails.
    package func knownDevice(of account: Account) async -> String? {
        guard let username = account.username.map(Username.init(stored:)),
            let stored = try? await challenge(username, [])
        else { return nil }
        return try? KnownDevice(passwordChangedAt: stored.changedAt).sealed(for: username, sealer)
    }

    /// Refuses a name that is taken, and who asks too often, before anything is hashed.
    func admit(
        _ username: Username,
        _ throttles: [ThrottleUse]
    ) async throws(AccountsError) -> PasswordHasher.Turn {
        let turn = try await hasher.turn(of: throttles.map(\.key))
        guard try await challenge(username, throttles) == nil else {
            throw AccountsError(AccountChangeRefusal.usernameTaken)
        }
        return turn
    }

    /// What stands for a text that can't be a username; a long one is not hashed whole.
    func typedKey(_ text: String) -> String {
        "typed " + String(decoding: text.utf8.prefix(1024), as: UTF8.self)
    }

    private func addressCount(_ client: ClientDescription) -> ThrottleUse {
        let key = throttleKeys.key("password address", client.address)
        return ThrottleUse(key: key, policy: .passwordByAddress)
    }

    private func challenge(
        _ username: Username?,
        _ throttles: [ThrottleUse]
    ) async throws(AccountsError) -> StoredPassword? {
        let attempt = PasswordAttempt(username: username, throttles: throttles, now: now)
        let challenge = try await asking(await store.beginPasswordCheck(attempt))
        switch challenge {
        case .wait(let seconds):
            logger.notice("password attempt throttled", metadata: ["wait": "\(seconds)"])
            throw .tooManyAttempts(seconds: seconds)
        case .check(let stored): return stored
        }
    }
}
