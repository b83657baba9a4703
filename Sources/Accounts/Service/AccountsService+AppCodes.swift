import AppleIdentity
import Crypto
import Foundation
import Logging
import SignedTokens

extension AccountsService {
    /// Gives out the code by which an app comes back, after its person has confirmed in a browser; returns the code,
    /// 256 random bits; only its hash is stored; throws `session_invalid` when the session has ended.
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
        let isKept = try await asking(await store.issueAppCode(issue))
        guard isKept else { throw .sessionInvalid }
        log("app code issued", session, ["client": "\(binding.clientID)"])
        return secret.text
    }

    /// Signs an app in with the code that came back to it; throws `app_code_invalid`, `too_many_attempts`.
    package func signIn(
        _ candidate: AppCodeCandidate
    ) async throws(AccountsError) -> SignInReceipt {
        // A code is as long as a session's token; anything else is not looked up.
        guard let secret = SessionToken(candidate.code) else { throw .appCodeInvalid(.unknown) }
        let token = SessionToken()
        let byAddress = throttleKeys.key("app code address", candidate.client.address)
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
            throttles: [ThrottleUse(key: byAddress, policy: .appCodeByAddress)]
        )
        let outcome = try await asking(await store.redeemAppCode(redemption))
        switch outcome {
        case .wait(let seconds): throw .tooManyAttempts(seconds: seconds)
        case .refused(let refusal):
            await recordRefusal(.appCodeInvalid, candidate.client)
            throw .appCodeInvalid(refusal)
        case .signedIn(let signedIn):
            log("signed in", signedIn.session, ["origin": "app code", "new": "false"])
            outboxSignal?.send()
            return SignInReceipt(
                account: signedIn.account,
                session: signedIn.session,
                token: token,
                isNewAccount: false
            )
        }
    }

    /// Whether a text has the length and the characters of a verifier; a short one could be guessed from its challenge.
    ///
    /// Source: [RFC 7636, section 4.1](https://www.rfc-editor.org/rfc/rfc7636#section-4.1)
    private static func isVerifier(_ text: String) -> Bool {
        text.wholeMatch(of: /[A-Za-z0-9\-._~]{43,128}/) != nil
    }

    /// The S256 challenge of a verifier; none for a text that can't be one, which uses the code up as any wrong one does.
    ///
    /// Source: [RFC 7636, section 4.2](https://www.rfc-editor.org/rfc/rfc7636#section-4.2)
    private static func challenge(of verifier: String) -> String {
        guard isVerifier(verifier) else { return "" }
        return Base64URL.encode(Array(SHA256.hash(data: Data(verifier.utf8))))
    }
}

/// A code that came back to an app, with what the app proves.
package struct AppCodeCandidate: Sendable {
    package var code: String
    /// The secret whose S256 challenge began the sign-in.
    package var verifier: String
    /// Where the code was sent.
    package var redirectURI: String
    package var clientID: ClientID
    /// Who asks.
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
