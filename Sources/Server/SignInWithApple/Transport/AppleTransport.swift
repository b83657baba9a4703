import Foundation
import HTTPTypes

/// Sends requests to Apple; replace it to use another HTTP client.
public struct AppleTransport: Sendable {
    /// The maximum size of a response's body, in bytes; Apple's are below 8 KiB.
    package static let maximumAnswerByteCount = 256 * 1024

    /// The time limit for a whole response: ten seconds.
    package static let maximumAnswerTime = Duration.seconds(10)

    /// A response of Apple.
    public struct Response: Sendable {
        /// The status and the header fields.
        public var head: HTTPResponse
        /// The body.
        public var body: Data

        /// Creates a response.
        ///
        /// - Parameters:
        ///   - head: the status and the header fields.
        ///   - body: the body; empty by default.
        public init(head: HTTPResponse, body: Data = Data()) {
            self.head = head
            self.body = body
        }
    }

    private let exchange: @Sendable (HTTPRequest, Data) async throws -> Response

    /// Creates a transport.
    ///
    /// - Parameter send: sends the request with its body, and returns the response. It must not follow redirects, which
    ///   would send secrets to another host.
    public init(
        _ send: @escaping @Sendable (HTTPRequest, Data) async throws -> Response
    ) {
        exchange = send
    }

    /// Sends one request.
    ///
    /// - Parameters:
    ///   - request: the request with scheme, authority and path.
    ///   - body: the request's body; empty for none.
    /// - Returns: the response.
    /// - Throws: an error of the HTTP client, which ``AppleSignIn`` reports as `apple_unavailable`.
    public func send(_ request: HTTPRequest, body: Data) async throws -> Response {
        try await exchange(request, body)
    }
}
