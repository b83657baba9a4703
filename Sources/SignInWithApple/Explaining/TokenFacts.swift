import AppleIdentity
import Foundation
import SignedTokens

/// What a token says, claim by claim, with times in words.
struct TokenFacts {
    /// The most claims shown.
    static let maximumClaimCount = 64

    let lines: [TokenExplanation.Line]

    /// Reads whatever can be read, also from a token that is refused for its form or algorithm.
    init(_ compact: String) {
        guard compact.utf8.count <= UnverifiedToken.maximumByteCount else {
            lines = []
            return
        }
        let parts = compact.split(separator: ".", omittingEmptySubsequences: false)
        let header = Self.object(in: parts.first)
        let claims = Self.object(in: parts.dropFirst().first)
        let algorithm = header["alg"]?.stringValue
        lines =
            Self.headerLines(header)
            + Self.inUsualOrder(claims).prefix(Self.maximumClaimCount)
            .map { Self.fact($0.name, Self.words(for: $0)) }
            + Self.eventLines(of: claims)
            + Self.lifetime(of: claims, algorithm: algorithm)
    }

    private static func object(in part: Substring?) -> JSONObject {
        let data = part.flatMap { Base64URL.decode(String($0)) }
        return data.flatMap { try? JSONValue(parsing: $0) }?.objectValue ?? JSONObject()
    }

    private static func headerLines(_ header: JSONObject) -> [TokenExplanation.Line] {
        ["alg", "kid", "typ"].compactMap { name in
            header[name].map { fact(name, words(for: .init(name: name, value: $0))) }
        }
    }

    private static let usualOrder = [
        "iss", "aud", "exp", "iat", "sub", "nonce", "c_hash", "at_hash", "email",
        "email_verified", "is_private_email", "auth_time", "nonce_supported", "real_user_status",
    ]

    private static func inUsualOrder(_ claims: JSONObject) -> [JSONObject.Member] {
        let known = usualOrder.compactMap { name in claims.members.first { $0.name == name } }
        return known + claims.members.filter { !usualOrder.contains($0.name) }
    }

    private static func words(for claim: JSONObject.Member) -> String {
        switch (claim.name, claim.value) {
        case ("exp", .integer(let seconds)), ("iat", .integer(let seconds)),
            ("nbf", .integer(let seconds)), ("auth_time", .integer(let seconds)):
            DateText.text(Date(timeIntervalSince1970: TimeInterval(seconds)))
        case (_, .string(let text)): Excerpt.quoting(text)
        case (_, .boolean), (_, .integer), (_, .number), (_, .null): claim.value.text
        case (_, .array), (_, .object): Excerpt.quoting(claim.value.text)
        }
    }

    /// A notification's event travels as JSON in a text; its members are told one by one.
    private static func eventLines(of claims: JSONObject) -> [TokenExplanation.Line] {
        guard let text = claims["events"]?.stringValue,
            let event = (try? JSONValue(parsing: Data(text.utf8)))?.objectValue
        else { return [] }
        return event.members.prefix(maximumClaimCount).map { member in
            guard member.name == "event_time", let milliseconds = member.value.integerValue else {
                return fact("events " + member.name, words(for: member))
            }
            let time = Date(timeIntervalSince1970: TimeInterval(milliseconds) / 1000)
            return fact("events " + member.name, DateText.text(time))
        }
    }

    private static func lifetime(
        of claims: JSONObject,
        algorithm: String?
    ) -> [TokenExplanation.Line] {
        guard let issuedAt = claims["iat"]?.integerValue, let end = claims["exp"]?.integerValue
        else { return [] }
        let (seconds, overflow) = end.subtractingReportingOverflow(issuedAt)
        guard !overflow else { return [] }
        guard algorithm == SignatureAlgorithm.es256.rawValue else {
            return [fact("lifetime", "\(seconds) seconds")]
        }
        let maximumSeconds = ClientSecretKey.maximumLifetime.wholeSeconds
        let limit = "Apple accepts client secrets of at most \(maximumSeconds) seconds"
        return [fact("lifetime", "\(seconds) seconds; \(limit)")]
    }

    private static func fact(_ subject: String, _ words: String) -> TokenExplanation.Line {
        // The name of a claim comes from the token too.
        let name = subject.allSatisfy { $0.isASCII && ($0.isLetter || $0 == "_" || $0 == " ") }
        return TokenExplanation.Line(.fact, name ? subject : Excerpt.quoting(subject), words)
    }
}

/// The kinds of signed text that go between a server and Apple.
enum TokenKind {
    case identityToken
    case notification
    case clientSecret

    /// Tells by what is written in it; nothing is believed by this, only explained.
    init(_ token: UnverifiedToken, issuer: String) {
        let claims = (try? JSONValue(parsing: token.unverifiedPayload))?.objectValue
        if claims?["events"] != nil {
            self = .notification
        } else if token.algorithm == .es256, claims?["aud"]?.stringValue == issuer {
            self = .clientSecret
        } else {
            self = .identityToken
        }
    }

    /// What the line about the kind says.
    var words: String {
        switch self {
        case .identityToken: "the claims of an identity token"
        case .notification: "a notification: it tells what happened to a person's account"
        case .clientSecret: "a client secret: made by a team, and meant for Apple"
        }
    }
}
