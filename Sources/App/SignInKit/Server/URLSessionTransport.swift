import AppleIdentity
import Foundation
import LimitedTransport

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A transport that uses `URLSession` without cookies, cache and redirects.
///
/// It limits time (``ServerRequest/timeLimit``) and size (``ServerAnswer/maximumByteCount``).
public final class URLSessionTransport: ServerTransport {
    private let session = LimitedSession(maximumByteCount: ServerAnswer.maximumByteCount)

    /// Creates a transport.
    public init() {}

    /// Sends a request, as ``ServerTransport/send(_:)`` says.
    public func send(_ request: ServerRequest) async throws(TransportFailure) -> ServerAnswer {
        do throws(LimitedTransportFailure) {
            let answer = try await session.send(URLRequest(request))
            return ServerAnswer(status: answer.status, headers: answer.headers, body: answer.body)
        } catch {
            throw TransportFailure(error)
        }
    }
}

extension URLRequest {
    fileprivate init(_ request: ServerRequest) {
        self.init(url: request.url)
        httpMethod = request.method
        httpBody = request.body
        timeoutInterval = request.timeLimit / .seconds(1)
        for (name, value) in request.headers { setValue(value, forHTTPHeaderField: name) }
    }
}

extension TransportFailure {
    fileprivate init(_ failure: LimitedTransportFailure) {
        self =
            switch failure {
            case .unreachable(let reason): .unreachable(reason)
            case .timedOut: .timedOut
            case .tooLarge: .tooLarge
            case .cancelled: .cancelled
            }
    }
}
