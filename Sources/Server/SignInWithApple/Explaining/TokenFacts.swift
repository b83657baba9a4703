import AppleIdentity
import Foundation
import SignedTokens

/// The content of a token, claim by claim, with readable times.
enum TokenFacts {
    typealias Line = TokenExplanation.Line

    private static let maximumClaimCount = 64
    /// The number of values that a list in words may have.
    private static let maximumListCount = 8

    /// What the claims of an access token of an accounts server mean.
    ///
    /// Source: [RFC 9068, section 2.2](https://www.rfc-editor.org/rfc/rfc9068#section-2.2)
    private static let accessTokenMeanings = [
        "iss": "the accounts server that made it", "aud": "the service that it is for",
        "client_id": "the client that requested it", "sub": "the account's id",
        "sid": "the session's id", "jti": "the token's own id", "iat": "when it was made",
        "nbf": "when it becomes valid", "exp": "when it expires",
        "auth_time": "when the user signed in last", "amr": "how the user signed in",
        "scope": "what it allows", "roles": "the account's roles",
        "metadata": "what the team stored about the account",
    ]

    /// The readable facts, even of a token with an invalid form or algorithm.
    static func lines(_ compact: String) -> [Line] {
        guard compact.utf8.count <= UnverifiedToken.maximumByteCount else { return [] }
        let parts = compact.split(separator: ".", omittingEmptySubsequences: false)
        let (header, claims) = (object(in: parts.first), claims(of: compact))
        // A notification's event is JSON in a string.
        let event = claims["events"]?.stringValue.map { Data($0.utf8) }
        let isAccessToken = ReceivedAccessToken.isType(header["typ"]?.stringValue)
        let meanings = isAccessToken ? accessTokenMeanings : [:]
        return facts(header) + facts(claims, meanings) + facts(object(event), in: "events ")
            + lifetime(of: claims, header)
    }

    /// The claims of a token with any algorithm; empty if they cannot be read.
    static func claims(of compact: String) -> JSONObject {
        let parts = compact.split(separator: ".", omittingEmptySubsequences: false)
        return object(in: parts.dropFirst().first)
    }

    private static func object(in part: Substring?) -> JSONObject {
        object(part.flatMap { Base64URL.decode(String($0)) })
    }

    private static func object(_ text: Data?) -> JSONObject {
        text.flatMap { try? JSONObject(parsing: $0) } ?? JSONObject()
    }

    private static func facts(
        _ object: JSONObject,
        _ meanings: [String: String] = [:],
        in place: String = ""
    ) -> [Line] {
        object.members.prefix(maximumClaimCount).map { member in
            // The name of a claim comes from the token too.
            let isPlain = member.name.allSatisfy { $0.isASCII && ($0.isLetter || $0 == "_") }
            let subject = place + member.name
            let meaning = meanings[member.name].map { ", \($0)" } ?? ""
            let text = words(for: member) + meaning
            return Line(.fact, isPlain ? subject : Excerpt.quoting(subject), text)
        }
    }

    private static func words(for claim: JSONObject.Member) -> String {
        switch (claim.name, claim.value) {
        case ("exp", .integer(let seconds)), ("iat", .integer(let seconds)),
            ("nbf", .integer(let seconds)), ("auth_time", .integer(let seconds)):
            DateText.text(Date(timeIntervalSince1970: TimeInterval(seconds)))
        case ("event_time", .integer(let milliseconds)):
            DateText.text(Date(timeIntervalSince1970: TimeInterval(milliseconds) / 1000))
        case (_, .string(let text)): Excerpt.quoting(text)
        case (_, .array(let values))
        where (1...maximumListCount).contains(values.count)
            && values.allSatisfy({ $0.stringValue != nil }):
            values.compactMap(\.stringValue).map(Excerpt.quoting).joined(separator: ", ")
        case (_, .array), (_, .object): Excerpt.quoting(claim.value.text)
        default: claim.value.text
        }
    }

    private static func lifetime(of claims: JSONObject, _ header: JSONObject) -> [Line] {
        guard let issuedAt = claims["iat"]?.integerValue, let end = claims["exp"]?.integerValue
        else { return [] }
        let (seconds, overflow) = end.subtractingReportingOverflow(issuedAt)
        guard !overflow else { return [] }
        let maximumSeconds = ClientSecretKey.maximumLifetime.wholeSeconds
        let limit = "; Apple accepts at most \(maximumSeconds) seconds for a client secret"
        let isSecret =
            header["alg"]?.stringValue == SignatureAlgorithm.es256.rawValue
            && !ReceivedAccessToken.isType(header["typ"]?.stringValue)
        return [Line(.fact, "lifetime", "\(seconds) seconds\(isSecret ? limit : "")")]
    }
}

/// Writes times that may come from a token.
package enum DateText {
    /// The times with a readable form, in seconds since 1970: up to the year 9999.
    private static let usualSeconds = 0.0..<253_402_300_800

    package static func text(_ date: Date) -> String {
        let seconds = date.timeIntervalSince1970
        guard usualSeconds.contains(seconds) else { return "\(seconds) seconds after 1970" }
        return date.formatted(.iso8601)
    }

    /// A number of whole seconds, of any size.
    package static func seconds(_ interval: TimeInterval) -> String {
        Int(exactly: interval.rounded(.towardZero)).map(String.init) ?? "\(interval)"
    }
}
