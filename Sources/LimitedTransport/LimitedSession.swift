import AppleIdentity
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Carries requests by `URLSession`: no cookies, no cache, no redirects, and answers up to a number of bytes.
package final class LimitedSession: Sendable {
    private let session: URLSession
    private let exchanges: LimitedExchanges

    /// Makes a session.
    ///
    /// - Parameters:
    ///   - maximumByteCount: the longest answer that is read, in bytes.
    ///   - maximumTime: how long one exchange may take, all in all; nil leaves it to each request.
    package init(maximumByteCount: Int, maximumTime: Duration? = nil) {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpShouldSetCookies = false
        configuration.httpCookieAcceptPolicy = .never
        configuration.httpCookieStorage = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        configuration.urlCache = nil
        if let maximumTime {
            configuration.timeoutIntervalForRequest = maximumTime / .seconds(1)
            configuration.timeoutIntervalForResource = maximumTime / .seconds(1)
        }
        exchanges = LimitedExchanges(maximumByteCount: maximumByteCount)
        session = URLSession(configuration: configuration, delegate: exchanges, delegateQueue: nil)
    }

    deinit { session.finishTasksAndInvalidate() }

    /// Sends a request, and returns the answer whatever its status.
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

/// What a server answered.
package struct LimitedAnswer: Sendable {
    package let status: Int
    /// The fields, with names as the server spelled them.
    package let headers: [String: String]
    package let body: Data
}

/// Why no answer came.
package enum LimitedTransportFailure: Error, Hashable, Sendable {
    /// Nothing could be reached, and why.
    case unreachable(String)
    /// The answer took too long.
    case timedOut
    /// The answer has more bytes than are read.
    case tooLarge
    /// Whoever asked no longer waits.
    case cancelled
}
