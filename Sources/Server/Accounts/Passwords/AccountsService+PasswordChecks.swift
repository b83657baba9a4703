import Foundation
import Logging

/// The result of checking a password.
struct CheckedPassword: Sendable {
    /// The stored password that it equals; nil for a wrong one, and when none was checked.
    var stored: StoredPassword?
    var finding: PasswordHasher.Finding
    /// The count of the account or known device, which a right password resets.
    var forgotten: SecretHash
    /// The other counts, which keep only wrong passwords.
    var returned: [ThrottleUse]
    /// The place in the queue, for hashing another password.
    let turn: PasswordHasher.Turn
}

/// A password to check.
private struct PasswordCheck: Sendable {
    let password: String
    /// How often the password is hashed at least, even if fewer passwords are stored.
    var minimumHashCount = 1
    let client: ClientDescription
    let turn: PasswordHasher.Turn
    /// For the log: a sign-in, or a change of the password.
    var purpose = "sign-in"

    /// Compares the password with a stored hash; a hash of nil takes as long and is never right.
    func finding(
        against hash: String?
    ) async throws(AccountsError) -> PasswordHasher.Finding {
        // A password that is too long for any account is checked without a hash.
        guard let normalized = PasswordRules.normalized(password) else {
            return try await turn.check("", against: nil)
        }
        return try await turn.check(normalized, against: hash)
    }
}

extension AccountsService {
    /// Counts a sign-in attempt and checks the password, unless the client is throttled.
    func check(
        _ typed: String,
        _ password: String,
        _ client: ClientDescription
    ) async throws(AccountsError) -> CheckedPassword {
        let usernames = try await usernames(meantBy: typed)
        let device = device(of: client, usernames)
        let place = device.map { "device \($0.number)" } ?? usernames.first?.text
        let attempt = PasswordCheck(
            password: password,
            // An email address takes as long whether or not an account has it.
            minimumHashCount: typed.contains("@") ? 2 : 1,
            client: client,
            turn: try await turn(of: place ?? typedKey(typed), client)
        )
        if let device, let checked = try await check(attempt, usernames, device) { return checked }
        let names = usernames.isEmpty ? [typedKey(typed)] : usernames.map(\.text)
        let counts = names.map { name in
            ThrottleUse(key: throttleKeys.key("password", name), policy: .passwordByAccount)
        }
        let allCounts = counts + [addressCount(client)]
        return try await check(attempt, try await challenge(usernames, allCounts), allCounts)
    }

    /// Checks the password of a browser whose user has signed in before; nil if it is not for the one account that the
    /// typed name means.
    private func check(
        _ attempt: PasswordCheck,
        _ usernames: [Username],
        _ device: KnownDevice
    ) async throws(AccountsError) -> CheckedPassword? {
        let key = throttleKeys.key("password device", device.number)
        let count = ThrottleUse(key: key, policy: .passwordByAccount)
        let stored = try await challenge(usernames, [count]).compactMap(\.self)
        guard stored.map(\.changedAt.microseconds) == [device.passwordChangedAt] else { return nil }
        return try await check(attempt, stored, [count])
    }

    /// The usernames that a typed name may mean: the typed one and, for an email address, that of the one account with
    /// a password that confirmed it.
    ///
    /// An address that is no account's username counts only as its owner's, so a right password resets all its guesses.
    private func usernames(meantBy typed: String) async throws(AccountsError) -> [Username] {
        let username = try? Username(typed)
        let typedNames = [username].compactMap(\.self)
        guard let address = try? Self.address(typed) else { return typedNames }
        let found = try await callStore(
            await store.usernames(username, confirming: EmailAddress.key(address))
        )
        return found.isEmpty ? typedNames : found
    }

    private func device(of client: ClientDescription, _ usernames: [Username]) -> KnownDevice? {
        usernames.lazy.compactMap { [sealer] in
            KnownDevice(client.knownDevice, of: $0, sealer)
        }
        .first
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
        let stored = try await challenge([username], counts)
        guard let password else {
            return CheckedPassword(
                finding: .right,
                forgotten: counts[0].key,
                returned: [],
                turn: turn
            )
        }
        let check = PasswordCheck(
            password: password,
            client: client,
            turn: turn,
            purpose: "change"
        )
        let attempt = try await self.check(check, stored, counts)
        guard attempt.stored != nil else { throw .credentialsInvalid }
        return attempt
    }

    /// Checks a password against those of the accounts that are meant; of several right ones, the first counts.
    private func check(
        _ attempt: PasswordCheck,
        _ stored: [StoredPassword?],
        _ counts: [ThrottleUse]
    ) async throws(AccountsError) -> CheckedPassword {
        var right: (index: Int, finding: PasswordHasher.Finding)?
        for index in 0..<max(stored.count, attempt.minimumHashCount) {
            let hash = index < stored.count ? stored[index]?.hash : nil
            let finding = try await attempt.finding(against: hash)
            if right == nil, finding != .wrong { right = (index, finding) }
        }
        if right == nil {
            logger.notice("password refused", metadata: ["purpose": "\(attempt.purpose)"])
            let accounts = stored.compactMap(\.self).map(\.account)
            for account in accounts {
                await recordRefusal(.credentialsInvalid, of: account, attempt.client)
            }
            if accounts.isEmpty { await recordRefusal(.credentialsInvalid, attempt.client) }
        }
        var returned = counts
        let forgotten = returned.remove(at: right?.index ?? 0).key
        return CheckedPassword(
            stored: right.flatMap { stored[$0.index] },
            finding: right?.finding ?? .wrong,
            forgotten: forgotten,
            returned: returned,
            turn: attempt.turn
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
            let stored = try? await challenge([username], []).first ?? nil
        else { return nil }
        return try? KnownDevice(passwordChangedAt: stored.changedAt).sealed(for: username, sealer)
    }

    /// Refuses a taken username or a throttled client before a password is hashed.
    func admit(_ username: Username, _ throttles: [ThrottleUse]) async throws(AccountsError) {
        guard try await challenge([username], throttles) == [nil] else {
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
        _ usernames: [Username],
        _ throttles: [ThrottleUse]
    ) async throws(AccountsError) -> [StoredPassword?] {
        let attempt = PasswordAttempt(usernames: usernames, throttles: throttles, now: now)
        let challenge = try await callStore(await store.beginPasswordCheck(attempt))
        if case .failure(let refusal) = challenge {
            let wait = refusal.parameters["seconds"] ?? ""
            logger.notice("password attempt throttled", metadata: ["wait": "\(wait)"])
        }
        return try challenge.get()
    }
}
