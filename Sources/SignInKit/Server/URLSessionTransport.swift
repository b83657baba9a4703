import AppleIdentity
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Carries requests by `URLSession`: no cookies, no cache, no redirects, and limits on time and bytes.
public final class URLSessionTransport: ServerTransport {
    private let session: URLSession
    private let exchanges = Exchanges()

    /// Makes a transport.
    public init() {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpShouldSetCookies = false
        configuration.httpCookieAcceptPolicy = .never
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        configuration.urlCache = nil
        session = URLSession(configuration: configuration, delegate: exchanges, delegateQueue: nil)
    }

    deinit {
        session.finishTasksAndInvalidate()
    }

    /// Sends a request.
    ///
    /// - Parameter request: the request.
    /// - Returns: the answer, whatever its status.
    /// - Throws: ``TransportFailure``.
    public func send(_ request: ServerRequest) async throws(TransportFailure) -> ServerAnswer {
        let task = session.dataTask(with: URLRequest(request))
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                exchanges.begin(task.taskIdentifier, continuation)
                task.resume()
            }
        } onCancel: {
            task.cancel()
        }
        return try result.get()
    }
}

extension URLRequest {
    fileprivate init(_ request: ServerRequest) {
        self.init(url: request.url)
        httpMethod = request.method
        httpBody = request.body
        timeoutInterval = request.timeLimit / .seconds(1)
        httpShouldHandleCookies = false
        for (name, value) in request.headers { setValue(value, forHTTPHeaderField: name) }
    }
}

/// Puts the parts of each answer together.
private final class Exchanges: NSObject, URLSessionDataDelegate, Sendable {
    typealias Outcome = Result<ServerAnswer, TransportFailure>

    private struct Exchange: Sendable {
        let continuation: CheckedContinuation<Outcome, Never>
        var body = Data()
        var isTooLarge = false
    }

    private let exchanges = LockedValue<[Int: Exchange]>([:])

    func begin(_ id: Int, _ continuation: CheckedContinuation<Outcome, Never>) {
        exchanges.withLock { $0[id] = Exchange(continuation: continuation) }
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        let isTooLarge = exchanges.withLock { exchanges in
            guard var exchange = exchanges[dataTask.taskIdentifier] else { return false }
            exchange.isTooLarge =
                exchange.body.count + data.count > ServerAnswer.maximumByteCount
            if !exchange.isTooLarge { exchange.body += data }
            exchanges[dataTask.taskIdentifier] = exchange
            return exchange.isTooLarge
        }
        if isTooLarge { dataTask.cancel() }
    }

    /// A redirect is the answer: whoever follows one sends a token to another address.
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
            return .failure(.unreachable("the answer is not HTTP"))
        }
        let fields = response.allHeaderFields.compactMap { field -> (String, String)? in
            guard let name = field.key as? String, let value = field.value as? String else {
                return nil
            }
            return (name, value)
        }
        return .success(
            ServerAnswer(
                status: response.statusCode,
                headers: Dictionary(fields) { $1 },
                body: exchange.body
            )
        )
    }

    private static func failure(_ error: any Error) -> TransportFailure {
        switch (error as? URLError)?.code {
        case .timedOut?: .timedOut
        case .cancelled?: .cancelled
        case let code?: .unreachable("URLError \(code.rawValue)")
        case nil: .unreachable("an error of type \(type(of: error))")
        }
    }
}
