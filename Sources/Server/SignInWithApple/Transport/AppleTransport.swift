import Foundation
import HTTPTypes

/// Sends requests to Apple; replace it to use another HTTP client.
public struct AppleTransport: Sendable {
    /// The maximum size of a response's body, in bytes; Apple's are below 8 KiB.
    public static let maximumAnswerByteCount = 256 * 1024

    /// The time limit for a whole response: ten seconds.
    public static let maximumAnswerTime = Duration.seconds(10)

    private let exchange: @Sendable (HTTPRequest, Data) async throws -> (HTTPResponse, Data)

    /// Creates a transport.
    ///
    /// - Parameter send: sends the request with its body, and returns the response with its body;
    ///   it must not follow redirects.
    public init(
        _ send: @escaping @Sendable (HTTPRequest, Data) async throws -> (HTTPResponse, Data)
    ) {
        exchange = send
    }

    /// Sends one request.
    ///
    /// - Parameters:
    ///   - request: the request with scheme, authority and path.
    ///   - body: the request's body; empty for none.
    /// - Returns: the response and its body.
    /// - Throws: an error of the HTTP client, which ``AppleSignIn`` reports as `apple_unavailable`.
    public func send(_ request: HTTPRequest, body: Data) async throws -> (HTTPResponse, Data) {
        try await exchange(request, body)
    }
}
