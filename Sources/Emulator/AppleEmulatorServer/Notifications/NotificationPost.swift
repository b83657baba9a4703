import AppleEmulator
import AppleIdentity
import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import StrictHTTP

/// Posts one notification over the network, within limits of time and size.
///
/// Apple's time limit and user agent are not known; these are assumptions.
struct NotificationPost: Sendable {
    static let maximumAnswerSeconds = 10
    static let maximumBodyByteCount = 1_024

    let time: TimeSource

    /// The process's client, which follows no redirects and retries nothing.
    ///
    /// Only ``time`` limits the wait, so the connection timeout is long. With sockets, as here, a
    /// refused connection is reported at once on macOS too.
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

    /// Posts a notification, and returns a failure as a reply.
    func send(_ request: DeliveryRequest) async -> DeliveryReply {
        await withTaskGroup(of: DeliveryReply?.self) { group in
            group.addTask { await Self.exchange(request) }
            group.addTask {
                do {
                    try await time.sleep(for: .seconds(Self.maximumAnswerSeconds))
                    return .failure("no response within \(Self.maximumAnswerSeconds) seconds")
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

    static let stopped = "the emulator was stopped"

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
            "the connection was closed before the response was complete"
        default: "no connection: \(ConnectionFailure.words(for: error) ?? "\(error)")"
        }
    }
}

extension HTTPClientRequest {
    fileprivate init(_ request: DeliveryRequest) {
        var components = URLComponents(string: request.url) ?? URLComponents()
        let host = components.encodedHost ?? ""
        let authority = components.port.map { "\(host):\($0)" } ?? host
        // Names below `localhost` mean this machine, but not every resolver supports them.
        // https://www.rfc-editor.org/rfc/rfc6761#section-6.3
        let isLocalName = host.lowercased().hasSuffix(".localhost")
        if isLocalName { components.host = "localhost" }
        self.init(url: components.string ?? request.url)
        method = .POST
        if isLocalName { headers.add(name: "Host", value: authority) }
        headers.add(name: "Content-Type", value: "application/json")
        headers.add(name: "User-Agent", value: "sign-in-with-apple-emulator")
        // The server may have closed a reused connection, which would look like a refusal.
        headers.add(name: "Connection", value: "close")
        body = .bytes(ByteBuffer(bytes: request.body))
    }
}
