import Foundation

/// Sends requests to the accounts server.
///
/// ``URLSessionTransport`` is the default implementation.
///
/// An implementation must not follow redirects or store cookies.
public protocol ServerTransport: Sendable {
    /// Sends a request.
    ///
    /// - Parameter request: the request.
    /// - Returns: the response, whatever its status.
    /// - Throws: ``TransportFailure`` if there is no complete response.
    func send(_ request: ServerRequest) async throws(TransportFailure) -> ServerAnswer
}

/// A request to the accounts server.
public struct ServerRequest: Hashable, Sendable {
    /// The method: `GET`, `POST`, and so on.
    public var method: String
    /// The absolute URL.
    public var url: URL
    /// The header fields.
    public var headers: [String: String]
    /// The body, if any.
    public var body: Data?
    /// The maximum time of request and response together.
    public var timeLimit: Duration

    /// Creates a request with the given values.
    ///
    /// - Parameters:
    ///   - method: the method.
    ///   - url: the absolute URL.
    ///   - headers: the header fields.
    ///   - body: the body, if any.
    ///   - timeLimit: the maximum time of request and response together.
    public init(
        method: String,
        url: URL,
        headers: [String: String] = [:],
        body: Data? = nil,
        timeLimit: Duration = .seconds(20)
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.timeLimit = timeLimit
    }
}

/// The server's response.
public struct ServerAnswer: Hashable, Sendable {
    /// The HTTP status code.
    public var status: Int
    /// The header fields, with their names in lower case.
    public var headers: [String: String]
    /// The body.
    public var body: Data

    /// The maximum size of a response body: 1 048 576 bytes.
    public static let maximumByteCount = 1024 * 1024

    /// Creates a response with the given values.
    ///
    /// - Parameters:
    ///   - status: the status.
    ///   - headers: the header fields, with their names in any case.
    ///   - body: the body.
    public init(status: Int, headers: [String: String] = [:], body: Data = Data()) {
        self.status = status
        self.headers = Dictionary(headers.map { ($0.key.lowercased(), $0.value) }) { $1 }
        self.body = body
    }
}

/// The reason why there is no complete response.
public enum TransportFailure: Error, Hashable, Sendable {
    /// The server could not be reached, or the connection ended.
    case unreachable(String)
    /// The request exceeded its ``ServerRequest/timeLimit``.
    case timedOut
    /// The response has more bytes than ``ServerAnswer/maximumByteCount``.
    case tooLarge
    /// The task was cancelled.
    case cancelled
}
