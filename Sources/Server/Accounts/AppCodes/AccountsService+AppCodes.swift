import AppleIdentity
import Foundation
import Logging
import SignInWithApple

extension AccountsService {
    /// Issues an app's authorization code after the user has confirmed in a browser; returns 256 random bits, of which
    /// only the hash is stored; throws `session_invalid` when the session has ended.
    package func makeAppCode(
        for binding: AppCodeBinding,
        confirmedBy session: Session
    ) async throws(AccountsError) -> String {
        let secret = SessionToken()
        let now = now
        let issue = AppCodeIssue(
            code: AppCode(
                hash: secret.hash,
                account: session.accountID,
                session: session.id,
                binding: binding,
                expiresAt: now.addingTimeInterval(AccountsConfiguration.appCodeLifetime)
            ),
            maximumCount: AccountsConfiguration.maximumAppCodeCount,
            now: now
        )
        let isKept = try await callStore(await store.issueAppCode(issue))
        guard isKept else { throw .sessionInvalid }
        log("app code issued", session, ["client": "\(binding.clientID)"])
        return secret.text
    }

    /// Exchanges an app's code for a session; throws `app_code_invalid` or `too_many_attempts`.
    package func signIn(
        _ candidate: AppCodeCandidate
    ) async throws(AccountsError) -> SignInReceipt {
        // A code has the form of a session token; any other string is not looked up.
        guard let secret = SessionToken(candidate.code) else { throw .appCodeInvalid(.unknown) }
        let token = SessionToken()
        let byAddress = throttleKeys.use(
            "app code address",
            of: candidate.client,
            .appCodeByAddress
        )
        let redemption = AppCodeRedemption(
            hash: secret.hash,
            binding: AppCodeBinding(
                clientID: candidate.clientID,
                redirectURI: candidate.redirectURI,
                challenge: Self.challenge(of: candidate.verifier)
            ),
            opening: try opening(
                token,
                for: candidate.client,
                clientID: candidate.clientID,
                way: "app_code",
                now: now
            ),
            throttles: [byAddress]
        )
        let outcome = try await callStore(await store.redeemAppCode(redemption))
        if case .failure(let refusal) = outcome, refusal.code == .appCodeInvalid {
            await recordRefusal(.appCodeInvalid, candidate.client)
        }
        let signedIn = try outcome.get()
        log("signed in", signedIn.session, ["way": "app_code", "new": "false"])
        outboxSignal?.send()
        return SignInReceipt(signedIn, token)
    }

    /// The S256 challenge of a verifier; empty for an invalid one, which invalidates the code like any wrong verifier.
    ///
    /// Source: [RFC 7636, section 4.2](https://www.rfc-editor.org/rfc/rfc7636#section-4.2)
    private static func challenge(of verifier: String) -> String {
        CodeVerifier.isWellFormed(verifier) ? CodeVerifier.challenge(of: verifier) : ""
    }
}

/// An app's request to exchange its code.
package struct AppCodeCandidate: Sendable {
    package var code: String
    /// The secret whose S256 challenge the app sent when it started the sign-in.
    package var verifier: String
    /// The redirect URI that the code was sent to.
    package var redirectURI: String
    package var clientID: ClientID
    package var client: ClientDescription

    package init(
        code: String,
        verifier: String,
        redirectURI: String,
        clientID: ClientID,
        client: ClientDescription
    ) {
        self.code = code
        self.verifier = verifier
        self.redirectURI = redirectURI
        self.clientID = clientID
        self.client = client
    }
}
