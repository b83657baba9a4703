import AppleIdentity
import Foundation
import Logging
import SignInWithApple

extension AccountsService {
    /// Begins a sign-in, before Apple's code is exchanged.
    ///
    /// The name is stored here: if a later step fails, the same request still works or the next sign-in finds the
    /// name. This may be repeated until ``completeSignIn(_:grant:)`` has succeeded.
    ///
    /// - Parameter candidate: the verified identity, and the name if Apple sent it.
    /// - Throws: `token_replayed`, `consent_revoked`, a `nonce_…` code, `store_unavailable`.
    package func beginSignIn(_ candidate: SignInCandidate) async throws(AccountsError) {
        let attempt = try attempt(candidate, now: now)
        try await arrive(candidate.identity)
        let refusal = try await callStore(await store.beginSignIn(attempt))
        if let refusal { throw AccountsError(refusal) }
    }

    /// Finds or creates the account and creates a session, in one transaction.
    package func completeSignIn(
        _ candidate: SignInCandidate,
        grant: AppleGrant?
    ) async throws(AccountsError) -> SignInReceipt {
        let token = webSessionToken(of: candidate) ?? SessionToken()
        let completion = try completion(candidate, grant, token)
        // Without a code there was no `beginSignIn`, and the user may not be migrated to this team yet.
        try await arrive(candidate.identity)
        switch try await completeSignIn(completion, token, candidate) {
        case .failure(let refusal): throw AccountsError(refusal)
        case .success(let receipt): return receipt
        }
    }

    /// Replaces the session that the same web sign-in created within the last minute, because Safari posts some
    /// callbacks twice and drops the first response; nil when there is no such session.
    package func repeatSignIn(
        _ candidate: SignInCandidate
    ) async throws(AccountsError) -> SignInReceipt? {
        guard let first = webSessionToken(of: candidate) else { return nil }
        var candidate = candidate
        candidate.client.previousSessionToken = first.text
        let token = SessionToken()
        var completion = try completion(candidate, nil, token)
        completion.isRepetition = true
        let result = try await completeSignIn(completion, token, candidate)
        return try? result.get()
    }

    private func webSessionToken(of candidate: SignInCandidate) -> SessionToken? {
        guard candidate.nonceOrigin == .webSignIn else { return nil }
        return candidate.nonce.flatMap { webSessionTokens.token(ofNonce: $0) }
    }

    private func completeSignIn(
        _ completion: SignInCompletion,
        _ token: SessionToken,
        _ candidate: SignInCandidate
    ) async throws(AccountsError) -> Result<SignInReceipt, SignInRefusal> {
        let outcome = try await callStore(await store.completeSignIn(completion))
        switch outcome {
        case .refused(let refusal): return .failure(refusal)
        case .signedIn(let signedIn, let isNewAccount):
            log(
                "signed in",
                signedIn.session,
                ["origin": "\(candidate.way)", "new": "\(isNewAccount)"]
            )
            if isNewAccount, candidate.identity.transferUser != nil { warnOfUnknownTransfer() }
            return .success(
                SignInReceipt(
                    account: signedIn.account,
                    session: signedIn.session,
                    token: token,
                    isNewAccount: isNewAccount
                )
            )
        }
    }

    func attempt(_ candidate: SignInCandidate, now: Date) throws(AccountsError) -> SignInAttempt {
        let identity = candidate.identity
        return SignInAttempt(
            person: ApplePerson(issuer: identity.issuer, user: identity.user),
            name: (candidate.name?.cleaned).flatMap { AccountName($0) },
            tokenHash: SecretHash(of: candidate.identityToken),
            issuedAt: identity.issuedAt,
            nonce: try nonceUse(candidate, now: now),
            emailKey: identity.isEmailVerified && !identity.isPrivateEmail
                ? identity.email.map(EmailAddress.key) : nil,
            requiredAccount: candidate.requiredAccount,
            now: now
        )
    }

    /// Checks the nonce and returns its use to remember; nil for a nonce that the app made itself.
    private func nonceUse(
        _ candidate: SignInCandidate,
        now: Date
    ) throws(AccountsError) -> NonceUse? {
        guard let nonce = candidate.nonce else {
            guard candidate.nonceOrigin != .server else {
                throw AccountsError(
                    .nonceRequired,
                    hint: "this server requires a nonce that it issued for native sign-in"
                )
            }
            return nil
        }
        let hash = SecretHash(of: nonce)
        guard candidate.nonceOrigin != .webSignIn else {
            let end = now.addingTimeInterval(AccountsConfiguration.webNonceMemory)
            return NonceUse(hash: hash, rememberedUntil: end)
        }
        switch nonces.find(nonce, now: now) {
        case .valid(let expiresAt): return NonceUse(hash: hash, rememberedUntil: expiresAt)
        case .expired:
            throw AccountsError(
                .nonceExpired,
                hint: "the nonce has expired"
            )
        case .unknown where candidate.nonceOrigin == .serverOrApp: return nil
        case .unknown:
            throw AccountsError(
                .nonceUnknown,
                hint: "this server requires a nonce that it issued, and this is not one"
            )
        }
    }

    private func completion(
        _ candidate: SignInCandidate,
        _ grant: AppleGrant?,
        _ token: SessionToken
    ) throws(AccountsError) -> SignInCompletion {
        let now = now
        return SignInCompletion(
            apple: try redeemed(candidate, grant, now: now),
            newAccountID: .make(at: now, store.identifierOrder),
            opening: try opening(
                token,
                for: candidate.client,
                clientID: candidate.identity.clientID,
                way: candidate.way,
                now: now
            )
        )
    }

    /// Combines a verified sign-in with Apple's response to its code.
    func redeemed(
        _ candidate: SignInCandidate,
        _ grant: AppleGrant?,
        now: Date
    ) throws(AccountsError) -> RedeemedSignIn {
        let identity = candidate.identity
        return RedeemedSignIn(
            attempt: try attempt(candidate, now: now),
            clientID: identity.clientID,
            email: EmailAddress(identity),
            tokenRememberedUntil: identity.expirationTime
                .addingTimeInterval(AccountsConfiguration.usedTokenMargin),
            refreshToken: try sealed(grant?.refreshToken, identity.clientID, now: now)
        )
    }

    /// A new session, with the mail about a new device.
    func opening(
        _ token: SessionToken,
        for client: ClientDescription,
        clientID: ClientID? = nil,
        way: String,
        now: Date
    ) throws(AccountsError) -> SessionOpening {
        let device = deviceName(client.device)
        var opening = SessionOpening(
            newSession: NewSession(
                id: .make(at: now),
                tokenHash: token.hash,
                device: device,
                expiresAt: sessionEnd(createdAt: now, usedAt: now)
            ),
            previousTokenHash: client.previousSessionToken.flatMap { SessionToken($0) }?.hash,
            maximumSessionCount: configuration.maximumSessionsPerAccount,
            notice: try notice(.newSignIn, client: client, now: now),
            now: now
        )
        opening.audit = auditContext(client, clientID: clientID, detail: way, now: now)
        return opening
    }

    func sealed(
        _ text: String?,
        _ clientID: ClientID,
        now: Date
    ) throws(AccountsError) -> RefreshToken? {
        guard let text else { return nil }
        let id = RefreshTokenID.random()
        do {
            return RefreshToken(
                id: id,
                clientID: clientID,
                sealedToken: try sealer.seal(
                    Data(text.utf8),
                    for: .refreshToken(id, clientID: clientID)
                ),
                receivedAt: now
            )
        } catch {
            throw AccountsError(.internalError, hint: error.hint)
        }
    }

    func deviceName(_ text: String) -> String {
        let clipped = DisplayText.clipped(
            text,
            maximumCharacterCount: configuration.maximumDeviceCharacterCount
        )
        return DisplayText.cleaned(clipped) ?? ""
    }
}

extension SignInCandidate {
    /// How the user signed in, for the logs.
    fileprivate var way: String { nonceOrigin == .webSignIn ? "web" : "native" }
}

extension EmailAddress {
    /// The email address in an identity token; nil when the token has none.
    init?(_ identity: VerifiedIdentity) {
        guard let email = identity.email else { return nil }
        self.init(
            text: email,
            isVerified: identity.isEmailVerified,
            isPrivateRelay: identity.isPrivateEmail
        )
    }
}
