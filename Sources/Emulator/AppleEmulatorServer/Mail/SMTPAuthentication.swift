import Foundation

/// The exchange of the AUTH command, of which only the user name counts.
///
/// Source: [RFC 4954, section 4](https://www.rfc-editor.org/rfc/rfc4954#section-4)
struct SMTPAuthentication {
    enum Mechanism: String, CaseIterable { case plain = "PLAIN", login = "LOGIN" }

    enum Step: Equatable {
        /// The client's next line is another response.
        case challenge(String)
        case done(user: String)
        case invalid
    }

    private let mechanism: Mechanism
    private var user: String?

    init(_ mechanism: Mechanism) { self.mechanism = mechanism }

    /// The text of the next challenge, in base64.
    var challenge: String {
        guard mechanism == .login else { return "" }
        return Data((user == nil ? "Username:" : "Password:").utf8).base64EncodedString()
    }

    mutating func take(_ response: some StringProtocol) -> Step {
        // An equals sign is an empty response.
        let text = response == "=" ? "" : String(response)
        guard let data = Data(base64Encoded: text) else { return .invalid }
        switch (mechanism, user) {
        case (.plain, _):
            // https://www.rfc-editor.org/rfc/rfc4616#section-2
            let parts = data.split(separator: 0, omittingEmptySubsequences: false)
            guard parts.count == 3 else { return .invalid }
            return .done(user: String(decoding: parts[1], as: UTF8.self))
        case (.login, nil):
            user = String(decoding: data, as: UTF8.self)
            return .challenge(challenge)
        case (.login, let user?): return .done(user: user)
        }
    }
}
