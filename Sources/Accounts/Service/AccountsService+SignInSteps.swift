import AppleIdentity
import Foundation
import Logging
import SignInWithApple

extension AccountsService {
    /// The steps after the identity token's verification, in the order that loses nothing.
    ///
    /// The name is stored before the code is spent, so that whatever fails, either the same request
    /// still works or the next sign-in finds the name.
    func signIn(_ candidate: IdentityCandidate) async throws -> SignInReceipt {
        let attempt = SignInAttempt(
            issuer: candidate.identity.issuer,
            user: candidate.identity.user,
            name: candidate.name,
            tokenHash: candidate.tokenHash,
            issuedAt: candidate.identity.issuedAt,
            nonce: candidate.nonce,
            now: time.now
        )
        try await begin(attempt)
        let grant = try await redeem(candidate)
        do throws(AccountsError) {
            return try await complete(attempt, of: candidate, with: grant)
        } catch {
            // A refusal is final; a failure of the store is worth the same request again.
            if error.status >= 500, let grant, let code = candidate.code {
                redeemedGrants.keep(.verified(grant), for: code, now: time.now)
            }
            throw error
        }
    }

    private func begin(_ attempt: SignInAttempt) async throws(AccountsError) {
        let refusal: SignInRefusal?
        do {
            refusal = try await store.beginSignIn(attempt)
        } catch {
            throw AccountsError(error)
        }
        if let refusal { throw AccountsError(refusal) }
    }

    private func redeem(_ candidate: IdentityCandidate) async throws -> AppleGrant? {
        guard let code = candidate.code else { return nil }
        do {
            switch redeemedGrants.take(for: code, now: time.now) {
            case .verified(let grant): return grant
            case .unverified(let grant): return try await verified(grant, of: candidate, code)
            case nil:
                let grant = try await apple.exchange(
                    code: code,
                    clientID: candidate.identity.clientID,
                    redirectURI: candidate.redirectURI,
                    receivedAt: candidate.identity.issuedAt
                )
                return try await verified(grant, of: candidate, code)
            }
        } catch let error as SignInError {
            throw AccountsError(error)
        }
    }

    private func verified(
        _ grant: UnverifiedGrant,
        of candidate: IdentityCandidate,
        _ code: String
    ) async throws -> AppleGrant {
        do {
            return try await apple.verify(grant, for: candidate.identity)
        } catch {
            // The code is spent: only what it gave lets the same request succeed later.
            if (error as? SignInError)?.isRetryable != false {
                redeemedGrants.keep(.unverified(grant), for: code, now: time.now)
            }
            throw error
        }
    }

    private func complete(
        _ attempt: SignInAttempt,
        of candidate: IdentityCandidate,
        with grant: AppleGrant?
    ) async throws(AccountsError) -> SignInReceipt {
        let token = SessionToken()
        let completion = completion(attempt, of: candidate, with: grant, token: token)
        let outcome: SignInOutcome
        do {
            outcome = try await store.completeSignIn(completion)
        } catch {
            throw AccountsError(error)
        }
        switch outcome {
        case .refused(let refusal): throw AccountsError(refusal)
        case .signedIn(let signedIn, let isNewAccount):
            return SignInReceipt(
                account: signedIn.account,
                session: signedIn.session,
                token: token,
                isNewAccount: isNewAccount
            )
        }
    }

    private func completion(
        _ attempt: SignInAttempt,
        of candidate: IdentityCandidate,
        with grant: AppleGrant?,
        token: SessionToken
    ) -> SignInCompletion {
        let identity = candidate.identity
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
}
