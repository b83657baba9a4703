import AppleIdentity
import Foundation
import SignedTokens

/// What a token says, claim by claim, with times in words.
struct TokenFacts {
    /// The most claims shown.
    static let claimCountMax = 64
    /// The longest life of a client secret that Apple accepts, in seconds.
    ///
    /// Source: [Creating a client secret](https://developer.apple.com/documentation/accountorganizationaldatasharing/creating-a-client-secret)
    static let clientSecretLifetimeMax = 15_777_000

    let lines: [TokenExplanation.Line]

    init(_ token: UnverifiedToken) {
        var lines = [Self.fact("alg", Excerpt.quoting(token.header.algorithm))]
        if let keyID = token.header.keyID {
            lines.append(Self.fact("kid", Excerpt.quoting(keyID)))
        }
        if let type = token.header.type {
            lines.append(Self.fact("typ", "\(Excerpt.quoting(type)); Apple sends none"))
        }
        let payload = try? JSONValue(parsing: token.unverifiedPayload)
        if let claims = payload?.objectValue {
            lines += Self.inUsualOrder(claims).prefix(Self.claimCountMax)
                .map { Self.fact($0.name, Self.words(for: $0)) }
            lines += Self.lifetime(of: claims, algorithm: token.algorithm)
        }
        self.lines = lines
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
            Moment.text(Date(timeIntervalSince1970: TimeInterval(seconds)))
        case (_, .string(let text)): Excerpt.quoting(text)
        case (_, .boolean), (_, .integer), (_, .number), (_, .null): claim.value.text
        case (_, .array), (_, .object): Excerpt.quoting(claim.value.text)
        }
    }

    private static func lifetime(
        of claims: JSONObject,
        algorithm: SignatureAlgorithm
    ) -> [TokenExplanation.Line] {
        guard let issuedAt = claims["iat"]?.integerValue, let end = claims["exp"]?.integerValue
        else { return [] }
        let (seconds, overflow) = end.subtractingReportingOverflow(issuedAt)
        guard !overflow else { return [] }
        guard algorithm == .es256 else { return [fact("lifetime", "\(seconds) seconds")] }
        let limit = "Apple accepts client secrets of at most \(clientSecretLifetimeMax) seconds"
        return [fact("lifetime", "\(seconds) seconds; \(limit)")]
    }

    private static func fact(_ subject: String, _ words: String) -> TokenExplanation.Line {
        // The name of a claim is foreign text too.
        let name = subject.allSatisfy { $0.isASCII && ($0.isLetter || $0 == "_") }
        return TokenExplanation.Line(.fact, name ? subject : Excerpt.quoting(subject), words)
    }
}
