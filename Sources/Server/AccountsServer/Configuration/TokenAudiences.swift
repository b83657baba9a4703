import Foundation

/// The team's services for which sessions get access tokens.
package struct TokenAudiences: Hashable, Sendable, ListSetting {
    static let settingName = "SIWA_TOKEN_AUDIENCES"
    /// The maximum length of an audience, in bytes.
    static let maximumByteCount = 255

    /// The audiences, each a URI or a name.
    package let names: Set<String>

    /// Allows no audience.
    package init() { names = [] }

    /// Reads the entries; throws ``ConfigurationError`` about `SIWA_TOKEN_AUDIENCES`.
    package init(_ entries: [String]) throws(ConfigurationError) {
        try Self.checkCount(of: entries)
        guard Set(entries).count == entries.count else {
            throw Self.mistake("lists an audience twice", fix: "list each service once")
        }
        guard entries.allSatisfy(Self.isAudience) else {
            throw Self.mistake(
                "contains an entry that is neither an absolute URI nor a name",
                fix: "use entries such as https://api.example.com or orders"
            )
        }
        names = Set(entries)
    }

    /// RFC 7519, section 2: a value with a colon is a URI.
    /// https://www.rfc-editor.org/rfc/rfc7519#section-2
    private static func isAudience(_ text: String) -> Bool {
        guard text.utf8.count <= maximumByteCount else { return false }
        guard text.contains(":") else {
            return text.wholeMatch(of: /[A-Za-z0-9._\-]+/) != nil
        }
        return text.wholeMatch(of: /[A-Za-z][A-Za-z0-9+.\-]*:[!-~]+/) != nil
            && URL(string: text) != nil
    }
}
