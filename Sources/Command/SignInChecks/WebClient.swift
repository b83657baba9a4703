import AppleIdentity
import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import NIOSSL
import StrictHTTP
@_exported import WebBrowsing

/// Sends requests within limits, without following redirects.
package struct WebClient: BrowserClient {
    static let maximumAnswerByteCount = 8 * 1024 * 1024
    static let maximumAnswerSeconds: Int64 = 30
    /// The longest pause that a server may request with `Retry-After`, in seconds.
    static let maximumPauseSeconds = 60
    /// How often a request is repeated after a 429.
    static let maximumRepetitionCount = 3

    private static let client = makeClient { _ in }
    /// A test server on this machine rarely has a trusted certificate.
    private static let localClient = makeClient { $0.certificateVerification = .none }

    /// Redirects and certificates differ from the shared client.
    private static func makeClient(_ configure: (inout TLSConfiguration) -> Void) -> HTTPClient {
        var configuration = HTTPClient.Configuration.singletonConfiguration
        configuration.redirectConfiguration = .disallow
        // A server that refuses a connection is not listening, so a retry does not help.
        configuration.connectionPool.retryConnectionEstablishment = false
        configuration.timeout.connect = .seconds(maximumAnswerSeconds)
        var tls = TLSConfiguration.makeClientConfiguration()
        configure(&tls)
        configuration.tlsConfiguration = tls
        return HTTPClient(configuration: configuration)
    }

    private let time: TimeSource

    /// The time at which cookies are checked for expiry.
    package var now: Date { time.now }

    package init(time: TimeSource) { self.time = time }

    /// Sends a request, and repeats it after a pause if the response is 429, because the server has not handled it.
    package func send(_ request: WebRequest) async throws(CheckError) -> WebAnswer {
        var answer = try await sendOnce(request)
        for repetition in 0..<Self.maximumRepetitionCount where answer.status == 429 {
            let asked = answer.retryAfterSeconds ?? 1 << repetition
            guard (0...Self.maximumPauseSeconds).contains(asked) else { return answer }
            try await time.pause(for: .seconds(asked))
            answer = try await sendOnce(request)
        }
        return answer
    }

    private func sendOnce(_ request: WebRequest) async throws(CheckError) -> WebAnswer {
        do {
            // The client's own limit ends with the head; a body may stall or drip.
            // By the machine's clock, as the client's own limit.
            return try await TimeSource.live.within(
                .seconds(Self.maximumAnswerSeconds),
                late: TooSlow()
            ) {
                try await Self.exchange(request)
            }
        } catch {
            let address = WebAddress.origin(of: request.url) + request.url.path()
            throw CheckError(
                "\(request.method) \(address) got no response: \(Self.words(for: error))",
                hint: "start the server, and give a URL at which this machine can reach it",
                kind: .silence
            )
        }
    }

    private struct TooSlow: Error {}

    private static func words(for error: any Error) -> String {
        if error is TooSlow { return "it took longer than \(maximumAnswerSeconds) seconds" }
        return ConnectionFailure.words(for: error) ?? "\(type(of: error))"
    }

    private static func exchange(_ request: WebRequest) async throws -> WebAnswer {
        let isLocal = LoopbackHost.contains(request.url.host() ?? "")
        let client = isLocal ? localClient : client
        let timeout = TimeAmount.seconds(maximumAnswerSeconds)
        let response = try await client.execute(prepared(request), timeout: timeout)
        let body = try await response.body.collect(upTo: maximumAnswerByteCount)
        return WebAnswer(
            url: request.url,
            status: Int(response.status.code),
            headers: response.headers.map { ($0.name, $0.value) },
            body: Data(body.readableBytesView)
        )
    }

    /// Connects names below `localhost` to this machine, as browsers do; systems often cannot resolve them.
    private static func prepared(_ request: WebRequest) -> HTTPClientRequest {
        var url = request.url
        let host = url.host() ?? ""
        var headers = HTTPHeaders(request.fields.map { ($0.name, $0.value) })
        if host.lowercased().hasSuffix(".localhost"), url.scheme == "http" {
            var components = URLComponents(url: url, resolvingAgainstBaseURL: true)
            components?.host = "127.0.0.1"
            url = components?.url ?? url
            headers.add(name: "Host", value: host + (url.port.map { ":\($0)" } ?? ""))
        }
        var sent = HTTPClientRequest(url: url.absoluteString)
        sent.method = HTTPMethod(rawValue: request.method)
        sent.headers = headers
        if let body = request.body { sent.body = .bytes(ByteBuffer(bytes: body)) }
        return sent
    }
}

/// The browser of the checks.
typealias WebBrowser = Browser<WebClient>
