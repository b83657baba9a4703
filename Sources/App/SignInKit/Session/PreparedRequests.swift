import Foundation

/// The nonces of requests that the app prepared for the system's own button or controller.
struct PreparedRequests: Sendable {
    /// The maximum number of requests whose answer is awaited; more are shown only if the user cancels.
    private static let maximumCount = 4

    /// The nonce for the next request; nil until the server returned one.
    private(set) var next: String?
    private var askedAt = Date.distantPast
    private var sent: [(state: String, nonce: String)] = []

    /// Sets the nonce that was asked for at a time.
    mutating func set(_ nonce: String?, at now: Date = .distantPast) {
        (next, askedAt) = (nonce, now)
    }

    /// Takes a nonce for a request, random if the server's is not there, or too old after the app was suspended.
    ///
    /// - Parameter now: the time of the request.
    /// - Returns: the request's `state`, and the nonce before hashing.
    mutating func removeNext(at now: Date) -> (state: String, nonce: String) {
        let age = now.timeIntervalSince(askedAt)
        let isFresh = (0..<SignInLimits.nonceRenewalTime / .seconds(1)).contains(age)
        let request = (state: Nonces.make(), nonce: isFresh ? next ?? Nonces.make() : Nonces.make())
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
