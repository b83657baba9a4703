import AppleIdentity
import Foundation
import Logging
import SignInWithApple
import SignedTokens

extension AccountsService {
    /// Whether the features that need mail are offered.
    package var hasMail: Bool { configuration.hasMail }

    /// Starts a change of the account's email address, which the link of a mail to the new address completes.
    ///
    /// The current verified address gets a mail at once.
    ///
    /// - Parameters:
    ///   - text: the new email address.
    ///   - account: the account of the session.
    ///   - session: the requesting session, which needs a recent sign-in.
    ///   - client: the requesting client.
    /// - Returns: the changed account.
    /// - Throws: `mail_unavailable`, `email_invalid`, `recent_sign_in_required`, `too_many_attempts`,
    ///   `session_invalid`, `store_unavailable`.
    package func changeEmail(
        to text: String,
        of account: Account,
        requestedBy session: Session,
        client: ClientDescription
    ) async throws(AccountsError) -> Account {
        let address = try Self.address(text)
        let kind = MailOrder.Kind.emailChangeRequested
        let warning = try mailToFormer(kind, account, ofChangeTo: address, client, now: now)
        return try await sendVerification(
            to: address,
            session,
            client,
            needsFreshSignIn: true,
            warning
        )
    }

    /// Drops the pending email address, if there is one, and returns the account; throws `session_invalid`.
    @discardableResult
    package func cancelEmailChange(
        requestedBy session: Session,
        client: ClientDescription
    ) async throws(AccountsError) -> Account {
        let now = now
        let change = AccountChange(
            kind: .cancelEmailChange,
            caller: caller(session, needsFreshSignIn: false, now: now),
            now: now
        )
        let account = try await apply(from: client, change)
        log("change of the email address cancelled", session)
        return account
    }

    /// Sends the verification link of the pending email address again; throws `mail_unavailable`, `email_invalid` when
    /// no email address is unverified, `too_many_attempts`, or `session_invalid`.
    package func requestVerification(
        of account: Account,
        requestedBy session: Session,
        client: ClientDescription
    ) async throws(AccountsError) {
        let unproved = account.email.flatMap { $0.isOwn && !$0.isVerified ? $0.text : nil }
        guard let address = account.pendingEmail?.address ?? unproved else {
            throw .emailInvalid(hint: "the account has no unverified email address")
        }
        _ = try await sendVerification(to: address, session, client, needsFreshSignIn: false)
    }

    /// Returns the email address that the link of a mail verifies; throws `link_invalid`.
    package func address(verifiedBy token: String) async throws(AccountsError) -> String {
        try await link(Self.linkHash(token), for: .verification).token.address
    }

    /// Verifies an email address with the link of a mail and a session of the account.
    ///
    /// The session is required because a mistyped address belongs to a stranger. The former verified address gets a
    /// mail.
    ///
    /// - Parameters:
    ///   - token: the secret in the link.
    ///   - session: the requesting session.
    ///   - client: the requesting client.
    /// - Returns: the changed account.
    /// - Throws: `link_invalid` (even for the link of another account), `session_invalid`, `store_unavailable`.
    package func verifyEmail(
        token: String,
        requestedBy session: Session,
        client: ClientDescription = ClientDescription()
    ) async throws(AccountsError) -> Account {
        let hash = try Self.linkHash(token)
        let (link, owner) = try await link(hash, for: .verification)
        return try await verify(link.address, by: hash, of: owner, session, client)
    }

    /// Verifies apart from `verifyEmail`: Swift 6.3.1 allocates too small a frame for one function.
    private func verify(
        _ address: String,
        by hash: SecretHash,
        of owner: Account,
        _ session: Session,
        _ client: ClientDescription
    ) async throws(AccountsError) -> Account {
        let now = now
        let change = AccountChange(
            kind: .verifyEmail(hash),
            caller: caller(session, needsFreshSignIn: false, now: now),
            mail: try mailToFormer(.emailChanged, owner, ofChangeTo: address, client, now: now),
            undoLink: try undoLink(.emailChanged, of: owner, client, now: now),
            now: now
        )
        let account = try await apply(from: client, change)
        log("email address verified", of: account)
        return account
    }

    /// Creates the mail to the email address that another one replaces; nil without one, or if it is the same.
    func mailToFormer(
        _ kind: MailOrder.Kind,
        _ owner: Account,
        ofChangeTo address: String,
        _ client: ClientDescription,
        now: Date
    ) throws(AccountsError) -> QueuedMail? {
        guard owner.emailDeliverable, let old = owner.email, old.key != EmailAddress.key(address)
        else { return nil }
        return try mail(kind, to: old.text, name: owner.name?.text, client: client, now: now)
    }

    private func sendVerification(
        to address: String,
        _ session: Session,
        _ client: ClientDescription,
        needsFreshSignIn: Bool,
        _ warning: QueuedMail? = nil
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
            mail: link.mail,
            now: now
        )
        let account = try await apply(from: client, change)
        log("verification of an email address queued", session)
        return account
    }

    /// The throttle key of the emails that an account requests.
    func mailKey(of account: AccountID) -> SecretHash {
        throttleKeys.key("mail", account.rawValue)
    }

    /// The throttle of emails to an unverified email address, from all clients.
    func mailCount(of address: String) -> ThrottleUse {
        let key = throttleKeys.key("mail recipient", EmailAddress.countedKey(address))
        return ThrottleUse(key: key, policy: .mailByAccount)
    }

    /// Creates the verification link of an email address, and its mail; nil when mail cannot be sent.
    func verification(
        to address: String,
        of account: AccountID,
        _ client: ClientDescription,
        now: Date
    ) throws(AccountsError) -> (token: MailToken, mail: QueuedMail)? {
        let secret = Self.makeLinkSecret()
        let mail = try mail(
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

    /// Creates an encrypted mail order; nil when mail cannot be sent.
    func mail(
        _ kind: MailOrder.Kind,
        to address: String = "",
        name: String? = nil,
        linkToken: String? = nil,
        appleLinkRemains: Bool = false,
        appleLinkedAt: Date? = nil,
        client: ClientDescription,
        now: Date
    ) throws(AccountsError) -> QueuedMail? {
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
            return try order.mail(sealedBy: sealer)
        } catch {
            throw AccountsError(.internalError, hint: "cannot encrypt a mail")
        }
    }

    /// Looks up a link that is still valid, and its account.
    func link(
        _ hash: SecretHash,
        for purpose: MailToken.Purpose
    ) async throws(AccountsError) -> (token: MailToken, account: Account) {
        let now = now
        let found = try await callStore(await store.mailToken(hash, now: now))
        guard let found, found.token.purpose == purpose else { throw .linkInvalid }
        return found
    }

    static func makeLinkSecret() -> String { Base64URL.encode(SecureRandom.bytes(count: 32)) }

    static func linkHash(_ token: String) throws(AccountsError) -> SecretHash {
        // A token has the form of a session token; a string of another length is not hashed.
        guard token.utf8.count == SessionToken.characterCount else { throw .linkInvalid }
        return SecretHash(of: token)
    }

    static func address(_ text: String) throws(AccountsError) -> String {
        let address = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard EmailAddress.isWellFormed(address) else {
            throw .emailInvalid(hint: "the string is not an email address")
        }
        return address
    }
}
