import AppleIdentity
import Foundation
import Logging
import SignInWithApple

extension AccountsService {
    /// Begins a sign-in, before its code is spent.
    ///
    /// The name is stored here, so that whatever fails afterwards, either the same request still works or the
    /// next sign-in finds the name. May be repeated until ``completeSignIn(_:grant:)`` has succeeded.
    ///
    /// - Parameter candidate: who the person is, and the name if Apple told it.
    /// - Throws: `token_replayed`, `consent_revoked`, a `nonce_…` code, `store_unavailable`.
    public func beginSignIn(_ candidate: SignInCandidate) async throws(AccountsError) {
        if candidate.nonceOrigin == .server, candidate.nonce == nil { throw .nonceRequired }
        let refusal: SignInRefusal?
        do {
            refusal = try await store.beginSignIn(attempt(candidate))
        } catch {
            throw AccountsError(error)
        }
        if let refusal { throw AccountsError(refusal) }
    }

    /// Finds or makes the account, and opens a session, in one transaction.
    ///
    /// - Parameters:
    ///   - candidate: the sign-in that was begun.
    ///   - grant: what Apple gave for the code; only with it can a deletion reach Apple.
    /// - Returns: the account and a new session.
    /// - Throws: as ``beginSignIn(_:)``; after `store_unavailable` it can be repeated.
    public func completeSignIn(
        _ candidate: SignInCandidate,
        grant: AppleGrant?
    ) async throws(AccountsError) -> SignInReceipt {
        let token = SessionToken()
        let outcome: SignInOutcome
        do {
            outcome = try await store.completeSignIn(completion(candidate, grant, token))
        } catch {
            throw AccountsError(error)
        }
        switch outcome {
        case .refused(let refusal): throw AccountsError(refusal)
        case .signedIn(let signedIn, let isNewAccount):
            let isWeb = candidate.nonceOrigin == .webSignIn
            log(
                "signed in",
                signedIn.session,
                ["origin": "\(isWeb ? "web" : "native")", "new": "\(isNewAccount)"]
            )
            return SignInReceipt(
                account: signedIn.account,
                session: signedIn.session,
                token: token,
                isNewAccount: isNewAccount
            )
        }
    }

    private func attempt(_ candidate: SignInCandidate) -> SignInAttempt {
        SignInAttempt(
            issuer: candidate.identity.issuer,
            user: candidate.identity.user,
            name: (candidate.name?.displayName).flatMap(DisplayText.cleaned),
            tokenHash: SecretHash(of: candidate.identityToken),
            issuedAt: candidate.identity.issuedAt,
            nonce: candidate.nonce.map {
                NonceUse(hash: SecretHash(of: $0), origin: candidate.nonceOrigin)
            },
            now: time.now
        )
    }

    private func completion(
        _ candidate: SignInCandidate,
        _ grant: AppleGrant?,
        _ token: SessionToken
    ) -> SignInCompletion {
        let identity = candidate.identity
        let attempt = attempt(candidate)
        return SignInCompletion(
            attempt: attempt,
            clientID: identity.clientID,
            email: identity.email.map {
                EmailAddress(
                    text: $0,
                    isVerified: identity.isEmailVerified,
                    isPrivateRelay: identity.isPrivateEmail
                )
            },
            tokenExpiresAt: identity.expirationTime
                .addingTimeInterval(AccountsConfiguration.usedTokenMargin),
            newAccountID: .random(),
            session: NewSession(
                id: .random(),
                tokenHash: token.hash,
                device: deviceName(candidate.device),
                expiresAt: sessionEnd(createdAt: attempt.now, usedAt: attempt.now)
            ),
            previousTokenHash: candidate.previousSessionToken
                .flatMap { SessionToken($0) }?.hash,
            maximumSessionCount: configuration.maximumSessionsPerAccount,
            sealRefreshToken: grant?.refreshToken.map { seal($0, clientID: identity.clientID) }
        )
    }

    private func seal(
        _ refreshToken: String,
        clientID: ClientID
    ) -> @Sendable (AccountID) throws -> String {
        { [sealer] account in
            try sealer.seal(
                Data(refreshToken.utf8),
                for: .refreshToken(of: account, clientID: clientID.rawValue)
            )
        }
    }

    private func deviceName(_ text: String) -> String {
        let clipped = DisplayText.clipped(
            text,
            maximumCharacterCount: configuration.maximumDeviceCharacterCount
        )
        return DisplayText.cleaned(clipped) ?? ""
    }
}
