import Foundation
import Logging

/// What came of checking a password.
struct CheckedPassword: Sendable {
    /// What it was checked against; nil when there is none.
    var stored: StoredPassword?
    var finding: PasswordHasher.Finding
    /// The count of the account, which ends with the right password.
    var byAccount: ThrottleUse
    /// The count of the address, in which only wrong passwords stay.
    var byAddress: ThrottleUse
}

extension AccountsService {
    /// Counts an attempt and checks the password, if the counts let it.
    func check(
        _ password: String,
        of username: Username?,
        typed: String,
        _ client: ClientDescription
    ) async throws(AccountsError) -> CheckedPassword {
        let byAccount = ThrottleUse(
            key: throttleKeys.key("password", username?.text ?? typedKey(typed)),
            policy: .passwordByAccount
        )
        let byAddress = addressCount(client)
        let stored = try await challenge(username, [byAccount, byAddress])
        // A password that no account can have is checked against nothing, which takes as long.
        let normalized = PasswordRules.normalized(password)
        let finding = try await hasher.check(
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
            byAccount: byAccount,
            byAddress: byAddress
        )
    }

    /// Checks the current password of who wants another one.
    func current(
        _ change: PasswordChange,
        _ username: Username
    ) async throws(AccountsError) -> CheckedPassword {
        let attempt = try await check(
            change.currentPassword ?? "",
            of: username,
            typed: username.text,
            change.client
        )
        guard attempt.stored != nil, attempt.finding != .wrong else { throw .credentialsInvalid }
        return attempt
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
        try await admit(username, [byAccount, byAddress])
        return CheckedPassword(
            stored: nil,
            finding: .right,
            byAccount: byAccount,
            byAddress: byAddress
        )
    }

    /// Refuses a name that is taken, and who asks too often, before anything is hashed.
    func admit(_ username: Username, _ throttles: [ThrottleUse]) async throws(AccountsError) {
        guard try await challenge(username, throttles) == nil else {
            throw AccountsError(AccountChangeRefusal.usernameTaken)
        }
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
        let challenge = try await asking { () async throws(AccountStoreError) in
            try await store.beginPasswordCheck(attempt)
        }
        switch challenge {
        case .wait(let seconds):
            logger.notice("password refused unseen", metadata: ["wait": "\(seconds)"])
            throw .tooManyAttempts(seconds: seconds)
        case .check(let stored): return stored
        }
    }
}
