import AppleIdentity
import Foundation
import Logging
import SignInWithApple

extension AccountsService {
    /// Creates an account with a password and signs in; throws `username_invalid`, `username_taken`, a `password_…`
    /// code, `email_invalid`, `mail_unavailable` for an email address when mail cannot be sent, `name_too_long`, or
    /// `too_many_attempts`.
    package func createAccount(
        _ registration: PasswordRegistration
    ) async throws(AccountsError) -> SignInReceipt {
        let username = try Self.username(registration.username)
        let name = try registration.name.map { name throws(AccountsError) in
            try AccountName(whole: name)
        }
        let email = try email(of: registration, username)
        let password = try PasswordRules.checked(
            registration.password,
            in: context(username, name: name?.text, email: email)
        )
        let turn = try await turn(of: username.text, registration.client)
        let use = throttleKeys.use("creation", of: registration.client, .mailByAddress)
        try await admit(username, [use])
        let hash = try await turn.hash(password)
        let token = SessionToken()
        let creation = try creation(registration.client, username, name, email, hash, token)
        let signedIn = try await callStore(await store.createAccount(creation)).get()
        log("account created", signedIn.session, ["way": "password"])
        if creation.mail != nil { outboxSignal?.send() }
        return SignInReceipt(signedIn, token, isNewAccount: true)
    }

    /// Signs in with a password and a username, or the email address that one account with a password has confirmed.
    ///
    /// An unknown name, and an address of several accounts, take as long and throw the same error as a wrong password.
    ///
    /// - Parameters:
    ///   - username: the username or email address as the user typed it.
    ///   - password: the password as the user typed it.
    ///   - client: the requesting client.
    /// - Returns: the account and a new session.
    /// - Throws: `credentials_invalid`, `too_many_attempts`, `password_busy`, `store_unavailable`.
    package func signIn(
        _ username: String,
        _ password: String,
        client: ClientDescription
    ) async throws(AccountsError) -> SignInReceipt {
        let attempt = try await check(username, password, client)
        guard let checked = attempt.stored else { throw .credentialsInvalid }
        let password = PasswordRules.normalized(password) ?? ""
        // The password was right: when hashing it again fails, a later sign-in does it.
        let rehashed =
            attempt.finding == .rightAtAnotherCost ? try? await attempt.turn.hash(password) : nil
        let token = SessionToken()
        let signIn = PasswordSignIn(
            checked: checked,
            rehashed: rehashed,
            opening: try opening(token, for: client, way: "password", now: now),
            forgottenThrottles: [attempt.forgotten],
            returnedThrottles: attempt.returned
        )
        let signedIn = try await callStore(await store.completePasswordSignIn(signIn)).get()
        log("signed in", signedIn.session, ["way": "password", "new": "false"])
        outboxSignal?.send()
        return SignInReceipt(signedIn, token)
    }

    /// Changes the password, or sets the first one, and ends all other sessions.
    ///
    /// - Parameters:
    ///   - username: the username, for an account that has none yet.
    ///   - currentPassword: the current password; nil for an account that has none.
    ///   - newPassword: the new password.
    ///   - session: the requesting session.
    ///   - client: the requesting client.
    /// - Returns: the account.
    /// - Throws: `credentials_invalid`, a `password_…` or `username_…` code, `recent_sign_in_required`,
    ///   `too_many_attempts`, `session_invalid`, `store_unavailable`.
    package func changePassword(
        username: String?,
        from currentPassword: String?,
        to newPassword: String,
        requestedBy session: Session,
        client: ClientDescription
    ) async throws(AccountsError) -> Account {
        let known = try await callStore(await store.account(session.accountID))
        guard let known else { throw .sessionInvalid }
        let stored = known.username.map { Username(stored: $0) }
        let chosen = stored == nil ? try username.map(Self.username) : nil
        guard let name = stored ?? chosen else { throw .usernameRequired }
        let password = try checked(newPassword, for: known, name)
        let mayReplace = currentPassword == nil && username == nil
        let attempt =
            stored == nil
            ? try await firstPassword(name, session, client)
            : try await self.current(
                mayReplace && isReplaceable(known, in: session) ? nil : currentPassword ?? "",
                of: name,
                session,
                client
            )
        return try await change(known, name, chosen, to: password, attempt, session, client)
    }

    private func isReplaceable(_ known: Account, in session: Session) -> Bool {
        known.isPasswordReplaceable(in: session) && isRecent(session)
    }

    /// Hashes and stores a password whose change is admitted.
    private func change(
        _ known: Account,
        _ name: Username,
        _ chosen: Username?,
        to password: String,
        _ attempt: CheckedPassword,
        _ session: Session,
        _ client: ClientDescription
    ) async throws(AccountsError) -> Account {
        let hash = try await attempt.turn.hash(password)
        return try await apply(
            .changePassword(
                AccountChange.PasswordChange(
                    username: chosen,
                    checked: attempt.stored,
                    hash: hash,
                    returnedThrottles: attempt.returned,
                    throttles: changeCounts(of: known.id)
                )
            ),
            of: known,
            [attempt.forgotten, throttleKeys.key("password", name.text)],
            isProved: attempt.stored != nil,
            requestedBy: session,
            client
        )
    }

    /// Removes the password and the username without asking for the password, and ends all other sessions.
    ///
    /// - Parameters:
    ///   - session: the requesting session: a recent sign-in with an Apple Account that was linked before the password
    ///     was set.
    ///   - client: the requesting client.
    /// - Returns: the account; unchanged if it has no password.
    /// - Throws: `recent_sign_in_required`, `last_way_in` without an active link to Apple, `credentials_invalid` for an
    ///   Apple Account that was linked later, `too_many_attempts`, `session_invalid`, `store_unavailable`.
    package func removePassword(
        requestedBy session: Session,
        client: ClientDescription
    ) async throws(AccountsError) -> Account {
        let known = try await callStore(await store.account(session.accountID))
        guard let known else { throw .sessionInvalid }
        guard let username = known.username else { return known }
        return try await apply(
            .removePassword(changeCounts(of: known.id)),
            of: known,
            [throttleKeys.key("password", username)],
            isProved: false,
            requestedBy: session,
            client
        )
    }

    /// Changes or removes the password; unless the current one proved the user, only a recent sign-in may.
    private func apply(
        _ kind: AccountChange.Kind,
        of known: Account,
        _ forgotten: [SecretHash],
        isProved: Bool,
        requestedBy session: Session,
        _ client: ClientDescription
    ) async throws(AccountsError) -> Account {
        let now = now
        let isRemoval = if case .removePassword = kind { true } else { false }
        let mailKind: MailOrder.Kind = isRemoval ? .passwordRemoved : .passwordChanged
        let linkedAt = isRemoval ? nil : known.apple?.linkedAt
        let change = AccountChange(
            kind: kind,
            caller: caller(session, needsFreshSignIn: !isProved, now: now),
            mail: try mail(mailKind, appleLinkedAt: linkedAt, client: client, now: now),
            forgottenThrottles: forgotten + [mailKey(of: known.id)],
            undoLink: isProved
                ? nil : try undoLink(mailKind, of: known, linkedAt: linkedAt, client, now: now),
            now: now
        )
        let account = try await apply(from: client, change)
        log(isRemoval ? "password removed" : "password changed", session)
        return account
    }

    /// The count of password changes: each one invalidates the links with which the owner would reset the password.
    private func changeCounts(of account: AccountID) -> [ThrottleUse] {
        [ThrottleUse(key: changes(of: account), policy: .mailByAccount)]
    }

    func changes(of account: AccountID) -> SecretHash {
        throttleKeys.key("password changes", account.rawValue)
    }

    /// Queues password reset links for a username or email address; throws `mail_unavailable` or `too_many_attempts`.
    package func requestPasswordReset(
        for text: String,
        client: ClientDescription
    ) async throws(AccountsError) {
        guard hasMail else { throw .mailUnavailable }
        let now = now
        var links: [PasswordResetRequest.Link] = []
        for _ in 0..<AccountsConfiguration.maximumResetLinkCount {
            links.append(try resetLink(client, now: now))
        }
        let username = try? Username(text)
        let address = try? Self.address(text)
        let request = PasswordResetRequest(
            username: username,
            address: address.map(EmailAddress.key),
            links: links,
            throttles: resetCounts(username, address, typed: text) + [
                throttleKeys.use("mail address", of: client, .mailByAddress)
            ],
            audit: auditContext(client, actor: .stranger, now: now),
            now: now
        )
        _ = try await callStore(await store.requestPasswordReset(request)).get()
        logger.notice("password reset requested")
        outboxSignal?.send()
    }

    /// The throttles of the username and email address, in their normalized form.
    private func resetCounts(
        _ username: Username?,
        _ address: String?,
        typed: String
    ) -> [ThrottleUse] {
        let names = Set([username?.text, address.map(EmailAddress.key)].compactMap(\.self))
        return (names.isEmpty ? [typedKey(typed)] : names).map { name in
            ThrottleUse(key: throttleKeys.key("reset", name), policy: .mailByAccount)
        }
    }

    /// Checks that a reset link can still be used; throws `link_invalid`.
    package func checkReset(token: String) async throws(AccountsError) {
        _ = try await link(Self.linkHash(token), for: .passwordReset)
    }

    /// Sets the password with a reset link, ends all sessions and returns the account with its link to Apple; throws
    /// `link_invalid` or a `password_…` code.
    @discardableResult
    package func resetPassword(
        token: String,
        to newPassword: String,
        client: ClientDescription
    ) async throws(AccountsError) -> Account {
        let (link, owner) = try await link(Self.linkHash(token), for: .passwordReset)
        guard let username = owner.username.map(Username.init(stored:)) else { throw .linkInvalid }
        let password = try checked(newPassword, for: owner, username)
        let turn = try await turn(of: username, byLink: link, client)
        // The next turn of the account begins when the link is used.
        defer { withExtendedLifetime(turn) {} }
        let hash = try await turn.hash(password)
        let (now, linkedAt) = (now, owner.apple?.linkedAt)
        let account = try await apply(
            .resetPassword(link.hash, hash: hash),
            byLinkOf: owner,
            username,
            try mail(.passwordChanged, appleLinkedAt: linkedAt, client: client, now: now),
            client,
            now: now
        )
        log("password reset", of: account)
        return account
    }

    /// Waits for a turn to hash the password of a link; of many requests with one link, only the first is hashed.
    func turn(
        of username: Username,
        byLink link: MailToken,
        _ client: ClientDescription
    ) async throws(AccountsError) -> PasswordHasher.Turn {
        let turn = try await turn(of: username.text, client)
        _ = try await self.link(link.hash, for: link.purpose)
        return turn
    }

    /// Changes an account with only the link of a mail.
    func apply(
        _ kind: AccountChange.Kind,
        byLinkOf owner: Account,
        _ username: Username?,
        _ mail: QueuedMail?,
        _ client: ClientDescription,
        now: Date
    ) async throws(AccountsError) -> Account {
        let change = AccountChange(
            kind: kind,
            caller: nil,
            linkOwner: owner.id,
            mail: mail,
            forgottenThrottles: [changes(of: owner.id), mailKey(of: owner.id)]
                + (username.map { [throttleKeys.key("password", $0.text)] } ?? []),
            now: now
        )
        return try await apply(from: client, change)
    }
}

extension AccountsService {
    static func username(_ text: String) throws(AccountsError) -> Username {
        do {
            return try Username(text)
        } catch {
            throw AccountsError(
                .usernameInvalid,
                parameters: ["reason": error.rawValue],
                hint: "the username is refused: \(error.rawValue)"
            )
        }
    }

    func checked(
        _ password: String,
        for account: Account,
        _ username: Username
    ) throws(AccountsError) -> String {
        try PasswordRules.checked(
            password,
            in: context(username, name: account.name?.text, email: account.email?.text)
        )
    }

    private func context(_ username: Username, name: String?, email: String?) -> PasswordContext {
        PasswordContext(
            username: username,
            name: name,
            email: email,
            appName: configuration.appName
        )
    }

    private func email(
        of registration: PasswordRegistration,
        _ username: Username
    ) throws(AccountsError) -> String? {
        if let email = registration.email {
            guard hasMail else { throw .mailUnavailable }
            return try Self.address(email)
        }
        // Without mail, an email address cannot be verified and is only a username.
        return hasMail && username.isAddress ? try Self.address(registration.username) : nil
    }

    private func creation(
        _ client: ClientDescription,
        _ username: Username,
        _ name: AccountName?,
        _ email: String?,
        _ hash: String,
        _ token: SessionToken
    ) throws(AccountsError) -> AccountCreation {
        let now = now
        let opening = try opening(token, for: client, way: "password", now: now)
        let account = Account(
            id: .make(at: now, store.database.identifierOrder),
            name: name,
            email: email.map { EmailAddress(own: $0, isVerified: false) },
            pendingEmail: email.map { PendingEmail(address: $0, session: opening.newSession.id) },
            username: username.text,
            createdAt: now
        )
        let link = try email.flatMap { email throws(AccountsError) in
            try verification(to: email, of: account.id, client, now: now)
        }
        return AccountCreation(
            account: account,
            password: StoredPassword(account: account.id, hash: hash, changedAt: now),
            opening: opening,
            verification: link?.token,
            mail: link?.mail,
            throttles: email.map { [mailCount(of: $0)] } ?? []
        )
    }

    private func resetLink(
        _ client: ClientDescription,
        now: Date
    ) throws(AccountsError) -> PasswordResetRequest.Link {
        let secret = Self.makeLinkSecret()
        let mail = try mail(.passwordReset, linkToken: secret, client: client, now: now)
        guard let mail else { throw .mailUnavailable }
        return PasswordResetRequest.Link(
            hash: SecretHash(of: secret),
            expiresAt: now.addingTimeInterval(MailOrder.Kind.passwordReset.lifetime),
            mail: mail
        )
    }
}
