import Foundation
import Logging

/// The result of checking a password.
struct CheckedPassword: Sendable {
    /// The stored password that it was checked against; nil when there is none.
    var stored: StoredPassword?
    var finding: PasswordHasher.Finding
    /// The count of the account or known device, which a right password resets.
    var forgotten: SecretHash
    /// The count of the IP address, which keeps only wrong passwords.
    var returned: [ThrottleUse]
    /// The place in the queue, for hashing another password.
    let turn: PasswordHasher.Turn
}

extension AccountsService {
    /// Counts a sign-in attempt and checks the password, unless the client is throttled.
    func check(
        _ typed: String,
        _ password: String,
        _ client: ClientDescription
    ) async throws(AccountsError) -> CheckedPassword {
        let username = try? Username(typed)
        let name = username?.text ?? typedKey(typed)
        let device = KnownDevice(client.knownDevice, of: username, sealer)
        let turn = try await turn(of: device.map { "device \($0.number)" } ?? name, client)
        if let device {
            let key = throttleKeys.key("password device", device.number)
            let count = ThrottleUse(key: key, policy: .passwordByAccount)
            let stored = try await challenge(username, [count])
            if stored?.changedAt.microseconds == device.passwordChangedAt {
                return try await check(password, stored, [count], client, turn)
            }
        }
        let key = throttleKeys.key("password", name)
        let counts = [
            ThrottleUse(key: key, policy: .passwordByAccount), addressCount(client),
        ]
        let stored = try await challenge(username, counts)
        return try await check(password, stored, counts, client, turn)
    }

    /// Waits for a turn to hash passwords; throws `password_busy` when the queue is full, or the client has gone.
    func turn(
        of account: String,
        _ client: ClientDescription
    ) async throws(AccountsError) -> PasswordHasher.Turn {
        let place = PasswordQueue.Client(
            account: account,
            network: client.address,
            widerNetwork: client.widerNetwork
        )
        let turn = await withTaskGroup(of: PasswordHasher.Turn?.self) { [hasher, departure] group in
            group.addTask { await hasher.turn(of: place) }
            if let departure {
                group.addTask {
                    await departure()
                    return nil
                }
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
        guard let turn else {
            throw AccountsError(
                .passwordBusy,
                hint: "too many passwords wait to be hashed, or the client closed the connection"
            )
        }
        return turn
    }

    /// Checks the current password before a change of the password; it is nil if the session may replace it.
    ///
    /// Attempts are counted only by sign-in, including the sessions derived from it: guesses of other clients do not
    /// block the change.
    func current(
        _ password: String?,
        of username: Username,
        _ session: Session,
        _ client: ClientDescription
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
        let turn = try await turn(of: username.text, client)
        let stored = try await challenge(username, counts)
        guard let password else {
            return CheckedPassword(
                finding: .right,
                forgotten: counts[0].key,
                returned: [],
                turn: turn
            )
        }
        let attempt = try await check(password, stored, counts, client, turn)
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
        // A password that is too long for any account is checked without a hash, which takes as long.
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

    /// Admits a first password, for which there is no current one to check.
    func firstPassword(
        _ username: Username,
        _ session: Session,
        _ client: ClientDescription
    ) async throws(AccountsError) -> CheckedPassword {
        guard isRecent(session) else { throw .recentSignInRequired }
        let byAccount = ThrottleUse(
            key: throttleKeys.key("first password", session.accountID.rawValue),
            policy: .passwordByAccount
        )
        let byAddress = addressCount(client)
        let turn = try await turn(of: session.accountID.rawValue, client)
        try await admit(username, [byAccount, byAddress])
        return CheckedPassword(
            stored: nil,
            finding: .right,
            forgotten: byAccount.key,
            returned: [byAddress],
            turn: turn
        )
    }

    /// Creates the device cookie of a browser whose user has signed in with a password, or set one.
    ///
    /// With it as ``ClientDescription/knownDevice``, the browser's wrong passwords are counted apart from strangers'.
    ///
    /// - Parameter account: the account.
    /// - Returns: an encrypted string; nil when the account has no password, or the store fails.
    package func knownDevice(of account: Account) async -> String? {
        guard let username = account.username.map(Username.init(stored:)),
            let stored = try? await challenge(username, [])
        else { return nil }
        return try? KnownDevice(passwordChangedAt: stored.changedAt).sealed(for: username, sealer)
    }

    /// Refuses a taken username or a throttled client before a password is hashed.
    func admit(_ username: Username, _ throttles: [ThrottleUse]) async throws(AccountsError) {
        guard try await challenge(username, throttles) == nil else {
            throw .usernameTaken
        }
    }

    /// The throttle value of a string that cannot be a username; only its beginning is hashed.
    func typedKey(_ text: String) -> String {
        "typed " + String(decoding: text.utf8.prefix(1024), as: UTF8.self)
    }

    private func addressCount(_ client: ClientDescription) -> ThrottleUse {
        throttleKeys.use("password address", of: client, .passwordByAddress)
    }

    private func challenge(
        _ username: Username?,
        _ throttles: [ThrottleUse]
    ) async throws(AccountsError) -> StoredPassword? {
        let attempt = PasswordAttempt(username: username, throttles: throttles, now: now)
        let challenge = try await callStore(await store.beginPasswordCheck(attempt))
        if case .failure(let refusal) = challenge {
            let wait = refusal.parameters["seconds"] ?? ""
            logger.notice("password attempt throttled", metadata: ["wait": "\(wait)"])
        }
        return try challenge.get()
    }
}
