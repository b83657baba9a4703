import Synchronization

/// The cookie that identifies a browser; tests set the session cookie themselves.
final class CookieJar: Sendable {
    private static let name = "emulated-apple-browser"

    private let pair = Mutex<String?>(nil)

    /// The `Cookie` field of a request.
    var cookie: String? { pair.withLock(\.self) }

    /// Stores the cookie of a response.
    func keep(_ reply: Reply) {
        guard let cookie = reply.cookie, cookie.hasPrefix(Self.name + "=") else { return }
        pair.withLock { $0 = cookie }
    }
}
