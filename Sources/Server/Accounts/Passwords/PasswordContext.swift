import Foundation

/// Words about an account and the app that are guessed first and refused as passwords.
///
/// Source: [NIST SP 800-63B, section 3.1.1.2](https://pages.nist.gov/800-63-4/sp800-63b.html#passwordver)
struct PasswordContext {
    let username: Username
    private let words: Set<String>

    init(username: Username, name: String?, email: String?, appName: String) {
        self.username = username
        let addresses = [email, username.isAddress ? username.text : nil].compactMap(\.self)
        let localParts = addresses.map { $0.prefix { $0 != "@" } }.map(String.init)
        let words = [name, appName].compactMap(\.self) + addresses + localParts
        self.words = Set(words.map(Self.folded))
    }

    /// Whether the password is the username in any spelling.
    func isUsername(_ password: String) -> Bool {
        Self.folded(password) == username.text || (try? Username(password)) == username
    }

    /// Whether the password is one of the other words, in upper or lower case.
    func contains(_ password: String) -> Bool { words.contains(Self.folded(password)) }

    private static func folded(_ text: String) -> String {
        text.trimmingCharacters(in: .whitespacesAndNewlines)
            .folding(options: .caseInsensitive, locale: nil)
            .precomposedStringWithCanonicalMapping
    }
}
