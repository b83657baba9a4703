import Foundation
import HTTPTypes

/// One exchange with Apple, replaceable by anything that turns a request into an answer.
public struct AppleTransport: Sendable {
    /// The longest answer read, in bytes; Apple's are below 8 KiB.
    public static let maximumAnswerByteCount = 256 * 1024

    /// The longest wait for a whole answer.
    public static let maximumAnswerTime = Duration.seconds(10)

    private let exchange: @Sendable (HTTPRequest, Data) async throws -> (HTTPResponse, Data)

    /// Makes a transport.
    ///
    /// - Parameter send: carries the request and its body, and returns the answer and its body;
    ///   must not follow redirects.
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
    /// - Returns: the answer and its body.
    /// - Throws: whatever kept the exchange from happening.
    public func send(_ request: HTTPRequest, body: Data) async throws -> (HTTPResponse, Data) {
        try await exchange(request, body)
    }
}
