import AppleIdentity
import Foundation
import Logging
import SignInWithApple

extension AccountsService {
    /// Checks what can be checked of a verified sign-in without the store, for ``beforeExchange(_:)`` and
    /// ``onSignIn(_:grant:)``.
    ///
    /// - Parameters:
    ///   - identity: the verified identity.
    ///   - identityToken: its token, which is valid for one sign-in; the store keeps its hash.
    ///   - nonce: the nonce of the token, before hashing.
    ///   - origin: the allowed origin of the nonce.
    ///   - name: the name, which Apple sends only at the first sign-in.
    ///   - client: the requesting client.
    ///   - requiredAccount: the only account that the sign-in may use; nil for the user's, whichever that is.
    /// - Returns: the checked sign-in.
    /// - Throws: a `nonce_…` code.
    package func check(
        _ identity: VerifiedIdentity,
        _ identityToken: String,
        nonce: String?,
        from origin: NonceOrigin,
        name: PersonName? = nil,
        client: ClientDescription = ClientDescription(),
        requiredAccount: AccountID? = nil
    ) throws(AccountsError) -> SignInCheck {
        let now = now
        let isWeb = origin == .webSignIn
        return SignInCheck(
            person: ApplePerson(issuer: identity.issuer, user: identity.userID),
            clientID: identity.clientID,
            transferred: identity.transferUser.map {
                ApplePerson(issuer: identity.issuer, user: $0)
            },
            name: (name?.cleaned).flatMap { AccountName($0) },
            email: EmailAddress(identity),
            identityTokenHash: SecretHash(of: identityToken),
            identityTokenRememberedUntil: identity.expirationTime
                .addingTimeInterval(AccountsConfiguration.usedTokenMargin),
            issuedAt: identity.issuedAt,
            nonce: try nonceUse(nonce, from: origin, now: now),
            sessionToken: isWeb ? nonce.flatMap { webSessionTokens.token(ofNonce: $0) } : nil,
            isWeb: isWeb,
            requiredAccount: requiredAccount,
            client: client,
            now: now
        )
    }

    /// Checks the nonce and returns its use to remember; nil for a nonce that the app made itself.
    private func nonceUse(
        _ nonce: String?,
        from origin: NonceOrigin,
        now: Date
    ) throws(AccountsError) -> NonceUse? {
        guard let nonce else {
            guard origin != .server else {
                throw AccountsError(
                    .nonceRequired,
                    hint: "this server requires a nonce that it issued for native sign-in"
                )
            }
            return nil
        }
        let hash = SecretHash(of: nonce)
        guard origin != .webSignIn else {
            let end = now.addingTimeInterval(AccountsConfiguration.webNonceMemory)
            return NonceUse(hash: hash, rememberedUntil: end)
        }
        switch nonces.find(nonce, now: now) {
        case .valid(let expiresAt): return NonceUse(hash: hash, rememberedUntil: expiresAt)
        case .expired: throw AccountsError(.nonceExpired, hint: "the nonce has expired")
        case .unknown where origin == .serverOrApp: return nil
        case .unknown:
            throw AccountsError(
                .nonceUnknown,
                hint: "this server requires a nonce that it issued, and this is not one"
            )
        }
    }

    /// Refuses a sign-in that cannot succeed, before Apple's code is exchanged.
    ///
    /// The name is stored here: if a later step fails, the same request still works or the next sign-in finds the
    /// name. This may be repeated until ``onSignIn(_:grant:)`` has succeeded.
    ///
    /// - Parameter check: the checked sign-in.
    /// - Throws: `token_replayed`, `consent_revoked`, `nonce_used`, `account_exists`, `apple_account_mismatch`,
    ///   `store_unavailable`.
    package func beforeExchange(_ check: SignInCheck) async throws(AccountsError) {
        try await migrateIfTransferred(check)
        if let refusal = try await callStore(await store.beginSignIn(check)) { throw refusal }
    }

    /// Finds or creates the account and creates a session, in one transaction.
    package func onSignIn(
        _ check: SignInCheck,
        grant: AppleGrant?
    ) async throws(AccountsError) -> SignInReceipt {
        // Without a code there was no `beforeExchange`, and the user may not be migrated to this team yet.
        try await migrateIfTransferred(check)
        let token = check.sessionToken ?? SessionToken()
        return try await carryOut(try makeCommit(check, grant, token), token)
    }

    /// Replaces the session that the same web sign-in created within the last minute, because Safari posts some
    /// callbacks twice and drops the first response; nil when there is no such session.
    package func onRepeatedCallback(
        _ check: SignInCheck
    ) async throws(AccountsError) -> SignInReceipt? {
        guard let first = check.sessionToken else { return nil }
        let token = SessionToken()
        var commit = try makeCommit(check, nil, token, replacing: first)
        commit.isRepetition = true
        do throws(AccountsError) {
            return try await carryOut(commit, token)
        } catch  where error == .tokenReplayed {
            return nil
        }
    }

    private func makeCommit(
        _ check: SignInCheck,
        _ grant: AppleGrant?,
        _ token: SessionToken,
        replacing first: SessionToken? = nil
    ) throws(AccountsError) -> SignInCommit {
        let now = now
        var client = check.client
        if let first { client.previousSessionToken = first.text }
        return SignInCommit(
            check: check,
            refreshToken: sealed(grant?.refreshToken, check.clientID, now: now),
            newAccountID: .make(at: now, store.database.identifierOrder),
            opening: try opening(
                token,
                for: client,
                clientID: check.clientID,
                way: check.way,
                now: now
            )
        )
    }

    private func carryOut(
        _ commit: SignInCommit,
        _ token: SessionToken
    ) async throws(AccountsError) -> SignInReceipt {
        let signedIn = try await callStore(await store.completeSignIn(commit)).get()
        let isNew = signedIn.account.id == commit.newAccountID
        log("signed in", signedIn.session, ["way": "\(commit.check.way)", "new": "\(isNew)"])
        if isNew, commit.check.transferred != nil { warnOfUnknownTransfer() }
        return SignInReceipt(signedIn, token, isNewAccount: isNew)
    }
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
