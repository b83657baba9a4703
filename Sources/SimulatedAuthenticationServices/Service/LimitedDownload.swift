import AppleIdentity
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// One request whose answer is read up to a length, and never from another address.
final class LimitedDownload: NSObject, URLSessionDataDelegate, Sendable {
    /// The answer is longer than allowed.
    struct TooLong: Error {}

    private struct State: Sendable {
        var data = Data()
        var status = 0
        var isTooLong = false
        var continuation: CheckedContinuation<(data: Data, status: Int), any Error>?
    }

    private let maximumByteCount: Int
    private let state = LockedValue(State())

    init(maximumByteCount: Int) {
        self.maximumByteCount = maximumByteCount
        super.init()
    }

    func load(
        _ request: URLRequest,
        with configuration: URLSessionConfiguration
    ) async throws -> (data: Data, status: Int) {
        let session = URLSession(configuration: configuration, delegate: self, delegateQueue: nil)
        defer { session.finishTasksAndInvalidate() }
        let task = session.dataTask(with: request)
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                state.withLock { $0.continuation = continuation }
                task.resume()
            }
        } onCancel: {
            task.cancel()
        }
    }

    func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        state.withLock { $0.status = (response as? HTTPURLResponse)?.statusCode ?? 0 }
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        let isTooLong = state.withLock { state in
            state.isTooLong = state.data.count + data.count > maximumByteCount
            if !state.isTooLong { state.data += data }
            return state.isTooLong
        }
        if isTooLong { dataTask.cancel() }
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didCompleteWithError error: (any Error)?
    ) {
        let (answer, continuation) = state.withLock { state in
            let outcome: Result<(data: Data, status: Int), any Error> =
                if state.isTooLong {
                    .failure(TooLong())
                } else if let error {
                    .failure(error)
                } else {
                    .success((state.data, state.status))
                }
            defer { state.continuation = nil }
            return (outcome, state.continuation)
        }
        continuation?.resume(with: answer)
    }
}
