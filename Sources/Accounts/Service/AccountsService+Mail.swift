import AppleIdentity
import Foundation
import Logging
import SignInWithApple
import SignedTokens

extension AccountsService {
    /// Whether the features that need mail are offered.
    package var hasMail: Bool { configuration.hasMail }

    /// Changes the address of the account that asks; the new one counts once the link of a mail was followed.
    ///
    /// The address that was proved before is told at once.
    ///
    /// - Parameters:
    ///   - text: the address.
    ///   - account: the account of the session.
    ///   - session: the session that asks; its sign-in has to be fresh.
    ///   - client: who asks.
    /// - Returns: the account as it is now.
    /// - Throws: `mail_unavailable`, `email_invalid`, `recent_sign_in_required`, `too_many_attempts`,
    ///   `session_invalid`, `store_unavailable`.
    package func changeEmail(
        to text: String,
        of account: Account,
        askedBy session: Session,
        client: ClientDescription
    ) async throws(AccountsError) -> Account {
        let address = try Self.address(text)
        let warning = try noticeToFormer(
            .emailChangeRequested,
            account,
            ofChangeTo: address,
            client,
            now: now
        )
        return try await sendVerification(
            to: address,
            session,
            client,
            needsFreshSignIn: true,
            warning
        )
    }

    /// Drops the address that waits to be proved; without one nothing changes; returns the account as it is now;
    /// throws `session_invalid`.
    @discardableResult
    package func cancelEmailChange(
        askedBy session: Session,
        client: ClientDescription
    ) async throws(AccountsError) -> Account {
        let now = now
        let change = AccountChange(
            kind: .cancelEmailChange,
            caller: caller(session, needsFreshSignIn: false, now: now),
            now: now
        )
        let account = try await carryOut(from: client, change)
        log("change of the e-mail address cancelled", session)
        return account
    }

    /// Sends the link once more that proves the address that waits; throws `mail_unavailable`, `email_invalid` when
    /// there is nothing to prove, `too_many_attempts`, `session_invalid`.
    package func requestVerification(
        of account: Account,
        askedBy session: Session,
        client: ClientDescription
    ) async throws(AccountsError) {
        let unproved = account.email.flatMap { $0.isOwn && !$0.isVerified ? $0.text : nil }
        guard let address = account.pendingEmail?.address ?? unproved else {
            throw .emailInvalid(hint: "the account has no unverified email address")
        }
        _ = try await sendVerification(to: address, session, client, needsFreshSignIn: false)
    }

    /// Follows the link that proves an address, with a session of its account: a mistyped address is a stranger's.
    ///
    /// The address that was proved before is told of the new one.
    ///
    /// - Parameters:
    ///   - token: the secret in the link.
    ///   - session: the session that asks.
    ///   - client: who follows it.
    /// - Returns: the account as it is now.
    /// - Throws: `link_invalid`, also for the link of another account, `session_invalid`, `store_unavailable`.
    package func verifyEmail(
        token: String,
        askedBy session: Session,
        client: ClientDescription = ClientDescription()
    ) async throws(AccountsError) -> Account {
        let hash = try Self.linkHash(token)
        let (link, owner) = try await link(hash, for: .verification)
        return try await verify(link.address, by: hash, of: owner, session, client)
    }

    /// In a function of its own: the frame that the compiler (Swift 6.3.1) asks for is too small for both.
    private func verify(
        _ address: String,
        by hash: SecretHash,
        of owner: Account,
        _ session: Session,
        _ client: ClientDescription
    ) async throws(AccountsError) -> Account {
        let now = now
        let secret = owner.username == nil ? nil : Self.makeLinkSecret()
        let notice = try noticeToFormer(
            .emailChanged,
            owner,
            ofChangeTo: address,
            linkToken: secret,
            client,
            now: now
        )
        var change = AccountChange(
            kind: .verifyEmail(hash),
            caller: caller(session, needsFreshSignIn: false, now: now),
            notice: notice,
            now: now
        )
        if notice != nil, let secret, let former = owner.email {
            change.restoration = MailToken(
                hash: SecretHash(of: secret),
                account: owner.id,
                purpose: .emailRestoration,
                address: former.text,
                expiresAt: now.addingTimeInterval(MailOrder.Kind.emailChanged.lifetime)
            )
        }
        let account = try await carryOut(from: client, change)
        log("e-mail address verified", of: account)
        if change.notice != nil { outboxSignal?.send() }
        return account
    }

    /// The mail to the address that another one takes the place of; nil when there is none, or it is the same.
    private func noticeToFormer(
        _ kind: MailOrder.Kind,
        _ owner: Account,
        ofChangeTo address: String,
        linkToken: String? = nil,
        _ client: ClientDescription,
        now: Date
    ) throws(AccountsError) -> MailNotice? {
        guard owner.emailDeliverable, let old = owner.email, old.key != EmailAddress.key(address)
        else { return nil }
        return try notice(
            kind,
            to: old.text,
            name: owner.name?.text,
            linkToken: linkToken,
            client: client,
            now: now
        )
    }

    private func sendVerification(
        to address: String,
        _ session: Session,
        _ client: ClientDescription,
        needsFreshSignIn: Bool,
        _ warning: MailNotice? = nil
    ) async throws(AccountsError) -> Account {
        let now = now
        let link = try verification(to: address, of: session.accountID, client, now: now)
        guard let link else { throw .mailUnavailable }
        let key = mailKey(of: session.accountID)
        let change = AccountChange(
            kind: .changeEmail(
                AccountChange.EmailChange(
                    token: link.token,
                    throttles: [
                        ThrottleUse(key: key, policy: .mailByAccount), mailCount(of: address),
                    ],
                    warning: warning
                )
            ),
            caller: caller(session, needsFreshSignIn: needsFreshSignIn, now: now),
            notice: link.mail,
            now: now
        )
        let account = try await carryOut(from: client, change)
        log("verification of an e-mail address queued", session)
        outboxSignal?.send()
        return account
    }

    /// What the mails that one account asks for are counted by.
    func mailKey(of account: AccountID) -> SecretHash {
        throttleKeys.key("mail", account.rawValue)
    }

    /// The count of the mails to one address that nobody has proved, whoever asks for them.
    func mailCount(of address: String) -> ThrottleUse {
        let key = throttleKeys.key("mail recipient", EmailAddress.key(address))
        return ThrottleUse(key: key, policy: .mailByAccount)
    }

    /// The link that proves an address, and its mail; nil when no mail can be sent.
    func verification(
        to address: String,
        of account: AccountID,
        _ client: ClientDescription,
        now: Date
    ) throws(AccountsError) -> (token: MailToken, mail: MailNotice)? {
        let secret = Self.makeLinkSecret()
        let mail = try notice(
            .verification,
            to: address,
            linkToken: secret,
            client: client,
            now: now
        )
        guard let mail else { return nil }
        let token = MailToken(
            hash: SecretHash(of: secret),
            account: account,
            purpose: .verification,
            address: address,
            expiresAt: now.addingTimeInterval(MailOrder.Kind.verification.lifetime)
        )
        return (token, mail)
    }

    /// A sealed order; nil when no mail can be sent.
    func notice(
        _ kind: MailOrder.Kind,
        to address: String = "",
        name: String? = nil,
        linkToken: String? = nil,
        appleLinkRemains: Bool = false,
        appleLinkedAt: Date? = nil,
        client: ClientDescription,
        now: Date
    ) throws(AccountsError) -> MailNotice? {
        guard hasMail else { return nil }
        let order = MailOrder(
            kind: kind,
            address: address,
            language: client.language,
            name: name,
            linkToken: linkToken,
            device: deviceName(client.device),
            appleLinkRemains: appleLinkRemains,
            appleLinkedAt: appleLinkedAt,
            occurredAt: now
        )
        do {
            return try order.notice(sealedBy: sealer)
        } catch {
            throw AccountsError(.internalError, hint: "can't encrypt a mail")
        }
    }

    /// Looks up a link that may still be followed, and whose it is.
    func link(
        _ hash: SecretHash,
        for purposes: MailToken.Purpose...
    ) async throws(AccountsError) -> (token: MailToken, account: Account) {
        let now = now
        let found = try await asking(await store.mailToken(hash, now: now))
        guard let found, purposes.contains(found.token.purpose) else { throw .linkInvalid }
        return found
    }

    static func makeLinkSecret() -> String { Base64URL.encode(SecureRandom.bytes(count: 32)) }

    static func linkHash(_ token: String) throws(AccountsError) -> SecretHash {
        // 32 bytes in base64url; anything else is not hashed, however long it is.
        guard token.utf8.count == 43 else { throw .linkInvalid }
        return SecretHash(of: token)
    }

    static func address(_ text: String) throws(AccountsError) -> String {
        let address = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard EmailAddress.isWellFormed(address) else {
            throw .emailInvalid(hint: "the text is not an e-mail address")
        }
        return address
    }
}
