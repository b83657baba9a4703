import AppleIdentity
import Foundation
import SignedTokens

/// An identity token, read as text so that order and spelling show.
struct TokenText {
    let header: String
    let payload: String

    init(_ token: String?) {
        let parts = (token ?? "").split(separator: ".").map(String.init)
        header = Self.text(parts.first)
        payload = Self.text(parts.dropFirst().first)
    }

    var claims: JSONObject { (try? JSONValue(parsing: Data(payload.utf8)).objectValue) ?? [:] }

    /// The claims' names in the order written.
    var names: String {
        payload.matches(of: /[{,]"([a-z_]+)":/).map { String($0.output.1) }.joined(separator: " ")
    }

    private static func text(_ part: String?) -> String {
        String(decoding: part.flatMap(Base64URL.decode) ?? Data(), as: UTF8.self)
    }
}
