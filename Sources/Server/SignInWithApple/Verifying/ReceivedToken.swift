import AppleIdentity
import Foundation
import SignedTokens

/// A token that is split and has the right algorithm, but is not verified.
struct ReceivedToken: Sendable {
    let keyID: String
    private let token: UnverifiedToken

    init(_ compact: String, issuer: String) throws(SignInError) {
        try self.init(compact) { token throws(SignInError) in
            // RFC 8725, section 3.1: Apple signs with RS256, and nothing else is accepted.
            // https://www.rfc-editor.org/rfc/rfc8725#section-3.1
            guard token.algorithm == .rs256 else { throw Self.refusal(of: token, issuer: issuer) }
        }
    }

    init(
        _ compact: String,
        checkingHeader check: (UnverifiedToken) throws(SignInError) -> Void
    ) throws(SignInError) {
        do {
            token = try UnverifiedToken(compact)
        } catch {
            throw SignInError(error)
        }
        try check(token)
        guard let keyID = token.header.keyID, !keyID.isEmpty else {
            throw SignInError(.tokenMalformed, hint: "its header has no kid")
        }
        self.keyID = keyID
    }

    /// The token, after its signature is checked.
    func verified(with key: VerificationKey) throws(SignInError) -> VerifiedToken {
        do {
            return try token.verified(with: key)
        } catch {
            throw SignInError(error)
        }
    }

    /// Whether a key signed the token, and its issue time is not after a time.
    func isSigned(with key: VerificationKey, by time: Date) -> Bool {
        guard let verified = try? verified(with: key),
            let issuedAt = try? JSONObject(parsing: verified.payload)["iat"]?.integerValue
        else { return false }
        return Date(timeIntervalSince1970: TimeInterval(issuedAt)) <= time
    }

    /// The unverified payload only selects the error.
    private static func refusal(of token: UnverifiedToken, issuer: String) -> SignInError {
        let claims = (try? JSONObject(parsing: token.unverifiedPayload)) ?? [:]
        let algorithm = token.algorithm.rawValue
        let kind = TokenKind(algorithm: algorithm, claims: claims, issuer: issuer)
        guard kind == .clientSecret else {
            return SignInError(
                .tokenUnsupportedAlgorithm,
                hint: "its header names \(algorithm); Apple signs with RS256"
            )
        }
        return SignInError(
            .tokenWrongKind,
            hint: "it is a client secret: signed with ES256, for Apple as its audience"
        )
    }
}
