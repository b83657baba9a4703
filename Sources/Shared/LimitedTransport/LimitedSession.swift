import AppleIdentity
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Sends requests with `URLSession`: no cookies, no cache, no redirects, and responses of limited size.
package final class LimitedSession: Sendable {
    private let session: URLSession
    private let exchanges: LimitedExchanges

    /// Creates a session.
    ///
    /// - Parameters:
    ///   - maximumByteCount: the maximum size of a response, in bytes.
    ///   - maximumTime: the time limit of a whole exchange; nil for the limit of each request.
    package init(maximumByteCount: Int, maximumTime: Duration? = nil) {
        let configuration = URLSessionConfiguration.forgetful
        if let maximumTime {
            configuration.timeoutIntervalForRequest = maximumTime / .seconds(1)
            configuration.timeoutIntervalForResource = maximumTime / .seconds(1)
        }
        exchanges = LimitedExchanges(maximumByteCount: maximumByteCount)
        session = URLSession(configuration: configuration, delegate: exchanges, delegateQueue: nil)
    }

    deinit { session.finishTasksAndInvalidate() }

    /// Sends a request, and returns the response with any status.
    package func send(
        _ request: URLRequest
    ) async throws(LimitedTransportFailure) -> LimitedAnswer {
        var request = request
        request.httpShouldHandleCookies = false
        let task = session.dataTask(with: request)
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                exchanges.begin(task.taskIdentifier, continuation)
                task.resume()
            }
        } onCancel: {
            task.cancel()
        }
        return try outcome.get()
    }
}

package struct LimitedAnswer: Sendable {
    package let status: Int
    /// The header fields, with names as the server spelled them.
    package let headers: [String: String]
    package let body: Data
}

/// The reason why there is no response.
package enum LimitedTransportFailure: Error, Hashable, Sendable {
    /// The server could not be reached; the string says why.
    case unreachable(String)
    case timedOut
    case tooLarge
    case cancelled
}
