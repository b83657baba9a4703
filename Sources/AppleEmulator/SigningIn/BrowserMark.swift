import HTTPTypes
import SignedTokens

/// Tells one browser from another, whether or not somebody is signed in with it.
///
/// A transaction belongs to the browser that began it. Without that, somebody could begin one,
/// let another person sign in to it by a form on another site, and carry it on as that person.
struct BrowserMark: Hashable {
    /// The cookie's name.
    static let cookieName = "emulated-apple-browser"
    /// How many random bytes make a mark.
    static let byteCount = 32

    let text: String

    /// A mark nobody can guess.
    static func make() -> BrowserMark {
        BrowserMark(text: RandomText.base64URL(byteCount: byteCount))
    }

    private init(text: String) {
        self.text = text
    }

    /// The mark a request carries; nil for none, and for one this emulator would not have made.
    init?(of request: HTTPRequest) {
        guard let text = RequestCookies(request)[Self.cookieName],
            Base64URL.decode(text)?.count == Self.byteCount
        else { return nil }
        self.text = text
    }

    /// The cookie that marks a browser until it is closed.
    func cookie(isSecure: Bool) -> String {
        "\(Self.cookieName)=\(text); Path=/; HttpOnly; SameSite=Lax"
            + (isSecure ? "; Secure" : "")
    }
}

/// The cookies that a request brings along.
package struct RequestCookies {
    private let pairs: [Substring]

    /// Reads what a request has.
    package init(_ request: HTTPRequest) {
        pairs = request.headerFields[values: .cookie].flatMap { $0.split(separator: ";") }
    }

    /// The value of the first cookie of this name.
    package subscript(name: String) -> String? {
        for pair in pairs {
            let parts = pair.split(separator: "=", maxSplits: 1)
            guard parts.count == 2 else { continue }
            if parts[0].trimmingPrefix(while: \.isWhitespace) == name { return String(parts[1]) }
        }
        return nil
    }
}
