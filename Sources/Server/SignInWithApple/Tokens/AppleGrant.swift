import AppleIdentity
import Foundation

/// The tokens that Apple returned for an authorization code or a refresh token.
public struct AppleGrant: Sendable, Hashable {
    /// The verified identity: from the app's token after a sign-in, else from the response's.
    public package(set) var identity: VerifiedIdentity
    /// The access token, which Apple accepts for user migration and revocation only.
    public let accessToken: String
    /// When the access token expires.
    public let accessTokenExpirationTime: Date
    /// The refresh token, which does not expire and must be stored encrypted; nil after a refresh.
    public let refreshToken: String?
    /// When to validate the refresh token with ``AppleSignIn/validate(_:clientID:nextCheck:)``: a day after this response.
    public let nextCheck: Date

    package init(
        identity: VerifiedIdentity,
        accessToken: String,
        accessTokenExpirationTime: Date,
        refreshToken: String?,
        nextCheck: Date
    ) {
        (self.identity, self.accessToken) = (identity, accessToken)
        self.accessTokenExpirationTime = accessTokenExpirationTime
        (self.refreshToken, self.nextCheck) = (refreshToken, nextCheck)
    }
}

/// Apple's response to a code, before its identity token is verified.
///
/// Its content is not accessible: only a verified grant may be used. A stored one can be verified
/// again later if Apple's keys were unavailable; the code is used up by then.
package struct UnverifiedGrant: Sendable, Codable {
    let clientID: ClientID
    let accessToken: String
    let expirationTime: Date
    let refreshToken: String?
    let identityToken: String
}

extension AppleSignIn {
    /// Sends the code that came with an identity; its transfer identifier can explain why Apple refuses the client.
    func send(
        code: String,
        of identity: VerifiedIdentity,
        redirectURI: String?,
        codeVerifier: String?
    ) async throws -> UnverifiedGrant {
        do {
            return try await send(
                code: code,
                clientID: identity.clientID,
                redirectURI: redirectURI,
                codeVerifier: codeVerifier,
                receivedAt: identity.issuedAt
            )
        } catch let error as SignInError
            where error.code == .appleRefusedClient && identity.transferUser != nil
        {
            throw error.explained(byTransferOf: identity.clientID)
        }
    }
}

extension SignInError {
    /// The same error, with the transfer of the app as its likeliest cause.
    fileprivate func explained(byTransferOf app: ClientID) -> SignInError {
        let facts = ["app": Excerpt.quoting(app.rawValue)]
        let cause = RefusalCause(.appTransferred, isEvident: false, facts: facts)
        return SignInError(
            code,
            message: message,
            hint: "\(cause) \(hint)",
            refusal: refusal,
            causes: [cause] + causes
        )
    }
}
