import Foundation

/// Carries a request to the accounts server; ``URLSessionTransport`` is the live form.
///
/// It follows no redirects and keeps no cookies.
public protocol ServerTransport: Sendable {
    /// Sends a request.
    ///
    /// - Parameter request: the request.
    /// - Returns: the answer, whatever its status.
    /// - Throws: ``TransportFailure`` when there is no whole answer.
    func send(_ request: ServerRequest) async throws(TransportFailure) -> ServerAnswer
}

/// A request to the accounts server.
public struct ServerRequest: Hashable, Sendable {
    /// The method: `GET`, `POST`, and so on.
    public var method: String
    /// The whole address.
    public var url: URL
    /// The fields of the head.
    public var headers: [String: String]
    /// The content, if there is any.
    public var body: Data?
    /// How long the whole exchange may take.
    public var timeLimit: Duration

    /// Makes a request.
    ///
    /// - Parameters:
    ///   - method: the method.
    ///   - url: the whole address.
    ///   - headers: the fields of the head.
    ///   - body: the content.
    ///   - timeLimit: how long the whole exchange may take.
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

/// What the server answered.
public struct ServerAnswer: Hashable, Sendable {
    /// The status.
    public var status: Int
    /// The fields of the head; names in lower case.
    public var headers: [String: String]
    /// The content.
    public var body: Data

    /// The most bytes of an answer's content that are read.
    public static let maximumByteCount = 1024 * 1024

    /// Makes an answer.
    ///
    /// - Parameters:
    ///   - status: the status.
    ///   - headers: the fields of the head, their names in any case.
    ///   - body: the content.
    public init(status: Int, headers: [String: String] = [:], body: Data = Data()) {
        self.status = status
        self.headers = Dictionary(headers.map { ($0.key.lowercased(), $0.value) }) { $1 }
        self.body = body
    }
}

/// Why there is no whole answer.
public enum TransportFailure: Error, Hashable, Sendable {
    /// The server could not be reached, or the connection ended.
    case unreachable(String)
    /// It took longer than the request allows.
    case timedOut
    /// The answer has more bytes than ``ServerAnswer/maximumByteCount``.
    case tooLarge
    /// The task was cancelled.
    case cancelled
}
