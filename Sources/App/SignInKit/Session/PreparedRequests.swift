/// The nonces of requests that the app prepared for the system's own button or controller.
struct PreparedRequests: Sendable {
    /// The maximum number of requests whose answer is awaited; more are shown only if the user cancels.
    private static let maximumCount = 4

    /// The nonce for the next request; nil until the server returned one.
    var next: String?
    private var sent: [(state: String, nonce: String)] = []

    /// Takes a nonce for a request, random if the server's is not there.
    ///
    /// - Returns: the request's `state`, and the nonce before hashing.
    mutating func removeNext() -> (state: String, nonce: String) {
        let request = (state: Nonces.make(), nonce: next ?? Nonces.make())
        next = nil
        sent = sent.suffix(Self.maximumCount - 1) + [request]
        return request
    }

    /// The nonce of the request that a credential answers, once.
    mutating func nonce(forState state: String?) -> String? {
        guard let index = sent.firstIndex(where: { $0.state == state }) else { return nil }
        return sent.remove(at: index).nonce
    }
}
