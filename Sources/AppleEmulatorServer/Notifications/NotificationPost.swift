import AppleEmulator
import AppleIdentity
import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix

/// One notification's way over the network, within limits of time and size.
///
/// Assumed: how long Apple waits, and how it names itself, is not known.
struct NotificationPost: Sendable {
    static let maximumAnswerSeconds = 10
    static let maximumBodyByteCount = 1_024

    let time: TimeSource

    /// Follows no redirect and makes no attempt of its own; it lives as long as the process.
    ///
    /// The source of time alone limits the wait: a connection that is not made is left to the system, and with
    /// sockets, as here, a refused one is told at once on macOS too.
    private static let client: HTTPClient = {
        var configuration = HTTPClient.Configuration()
        configuration.redirectConfiguration = .disallow
        configuration.timeout.connect = .hours(1)
        configuration.connectionPool.retryConnectionEstablishment = false
        return HTTPClient(
            eventLoopGroup: MultiThreadedEventLoopGroup.singleton,
            configuration: configuration
        )
    }()

    /// Posts a notification; never throws, since a failure is an outcome like any other.
    func send(_ request: DeliveryRequest) async -> DeliveryReply {
        await withTaskGroup(of: DeliveryReply?.self) { group in
            group.addTask { await Self.exchange(request) }
            group.addTask {
                do {
                    try await time.sleep(for: .seconds(Self.maximumAnswerSeconds))
                    return .failure("no answer within \(Self.maximumAnswerSeconds) seconds")
                } catch {
                    return nil
                }
            }
            defer { group.cancelAll() }
            while let reply = await group.next() {
                if let reply { return reply }
            }
            return .failure(Self.stopped)
        }
    }

    private static let stopped = "the emulator was stopped"

    private static func exchange(_ request: DeliveryRequest) async -> DeliveryReply {
        do {
            let request = HTTPClientRequest(request)
            let answer = try await client.execute(request, deadline: .distantFuture)
            var body = Data()
            for try await part in answer.body {
                let missingByteCount = maximumBodyByteCount - body.count
                body.append(contentsOf: part.readableBytesView.prefix(missingByteCount))
                if body.count == maximumBodyByteCount { break }
            }
            return .answer(status: Int(answer.status.code), body: body)
        } catch {
            return .failure(words(for: error))
        }
    }

    private static func words(for error: any Error) -> String {
        switch error {
        case is CancellationError: stopped
        case let error as HTTPClientError where error == .cancelled: stopped
        case let error as HTTPClientError where error == .remoteConnectionClosed:
            "the connection was closed without a whole answer"
        default: "no connection: \(error)"
        }
    }
}

extension HTTPClientRequest {
    fileprivate init(_ request: DeliveryRequest) {
        var components = URLComponents(string: request.url) ?? URLComponents()
        let host = components.encodedHost ?? ""
        let authority = components.port.map { "\(host):\($0)" } ?? host
        // Names below `localhost` are this machine, which not every resolver knows.
        // https://www.rfc-editor.org/rfc/rfc6761#section-6.3
        let isLocalName = host.lowercased().hasSuffix(".localhost")
        if isLocalName { components.host = "localhost" }
        self.init(url: components.string ?? request.url)
        method = .POST
        if isLocalName { headers.add(name: "Host", value: authority) }
        headers.add(name: "Content-Type", value: "application/json")
        headers.add(name: "User-Agent", value: "sign-in-with-apple-emulator")
        // A connection kept from before may be closed by now, which would look like a refusal.
        headers.add(name: "Connection", value: "close")
        body = .bytes(ByteBuffer(bytes: request.body))
    }
}
