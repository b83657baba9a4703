import Synchronization

/// The cookie by which a browser is told from another; whether somebody is signed in is for tests to say.
final class CookieJar: Sendable {
    private static let name = "emulated-apple-browser"

    private let pair = Mutex<String?>(nil)

    /// What the browser sends along.
    var cookie: String? { pair.withLock(\.self) }

    /// Keeps the cookie when an answer sets it.
    func keep(_ reply: Reply) {
        guard let cookie = reply.cookie, cookie.hasPrefix(Self.name + "=") else { return }
        pair.withLock { $0 = cookie }
    }
}
