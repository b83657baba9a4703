import AppleIdentity
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Collects the parts of each response, up to the limit.
final class LimitedExchanges: NSObject, URLSessionDataDelegate, Sendable {
    typealias Outcome = Result<LimitedAnswer, LimitedTransportFailure>

    private struct Exchange: Sendable {
        let continuation: CheckedContinuation<Outcome, Never>
        var body = Data()
        var isTooLarge = false
    }

    private let maximumByteCount: Int
    private let exchanges = LockedValue<[Int: Exchange]>([:])

    init(maximumByteCount: Int) {
        self.maximumByteCount = maximumByteCount
        super.init()
    }

    func begin(_ id: Int, _ continuation: CheckedContinuation<Outcome, Never>) {
        exchanges.withLock { $0[id] = Exchange(continuation: continuation) }
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        let isTooLarge = exchanges.withLock { exchanges in
            guard var exchange = exchanges[dataTask.taskIdentifier] else { return false }
            exchange.isTooLarge = exchange.body.count + data.count > maximumByteCount
            if !exchange.isTooLarge { exchange.body += data }
            exchanges[dataTask.taskIdentifier] = exchange
            return exchange.isTooLarge
        }
        if isTooLarge { dataTask.cancel() }
    }

    /// Returns a redirect as the response: following it would send a token to another host.
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
        let exchange = exchanges.withLock { $0.removeValue(forKey: task.taskIdentifier) }
        guard let exchange else { return }
        exchange.continuation.resume(returning: outcome(of: exchange, task.response, error))
    }

    private func outcome(
        of exchange: Exchange,
        _ response: URLResponse?,
        _ error: (any Error)?
    ) -> Outcome {
        if exchange.isTooLarge { return .failure(.tooLarge) }
        if let error { return .failure(Self.failure(error)) }
        guard let response = response as? HTTPURLResponse else {
            return .failure(.unreachable("the response is not HTTP"))
        }
        let fields = response.allHeaderFields.compactMap { field -> (String, String)? in
            guard let name = field.key as? String, let value = field.value as? String else {
                return nil
            }
            return (name, value)
        }
        return .success(
            LimitedAnswer(
                status: response.statusCode,
                headers: Dictionary(fields) { $1 },
                body: exchange.body
            )
        )
    }

    private static func failure(_ error: any Error) -> LimitedTransportFailure {
        switch (error as? URLError)?.code {
        case .timedOut?: .timedOut
        case .cancelled?: .cancelled
        case let code?: .unreachable("URLError \(code.rawValue)")
        case nil: .unreachable("an error of type \(type(of: error))")
        }
    }
}
