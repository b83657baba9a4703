import AppleIdentity
import Foundation
import SignedTokens

/// A payload read once: the kind of token it belongs to, and an identity token's claims.
struct SignedClaims: Decodable {
    private let isNotification: Bool
    private let claims: Result<IdentityTokenClaims, any Error>

    private enum CodingKeys: CodingKey {
        case events
    }

    init(_ payload: Data) throws(SignInError) {
        do {
            self = try StrictJSON.decode(SignedClaims.self, from: payload)
        } catch {
            throw SignInError(.tokenMalformed, hint: "its payload is not a JSON object")
        }
        try UniqueClaims.check(payload)
    }

    init(from decoder: any Decoder) throws {
        isNotification = try decoder.container(keyedBy: CodingKeys.self).contains(.events)
        claims = Result { try IdentityTokenClaims(from: decoder) }
    }

    func identityTokenClaims() throws(SignInError) -> IdentityTokenClaims {
        // RFC 8725, section 3.12: rules for different kinds of tokens must exclude each other.
        // https://www.rfc-editor.org/rfc/rfc8725#section-3.12
        guard !isNotification else {
            throw SignInError(
                .tokenWrongKind,
                hint: "it is a server-to-server notification: it carries \"events\""
            )
        }
        switch claims {
        case .success(let claims): return claims
        case .failure(let error):
            throw SignInError(.tokenMalformed, hint: Self.hint(for: error))
        }
    }

    private static func hint(for error: any Error) -> String {
        func name(_ path: [any CodingKey]) -> String {
            path.first.map { Excerpt.quoting($0.stringValue) } ?? "the payload"
        }
        switch error {
        case DecodingError.keyNotFound(let key, _): return "its claim \(name([key])) is missing"
        case DecodingError.typeMismatch(_, let context),
            DecodingError.valueNotFound(_, let context),
            DecodingError.dataCorrupted(let context):
            return "its claim \(name(context.codingPath)) has the wrong type"
        default: return "its claims are not readable"
        }
    }
}
