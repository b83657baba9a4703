import AsyncHTTPClient
import Foundation
import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOPosix

extension AppleTransport {
    /// The default HTTP client, which follows no redirects, unlike `HTTPClient.shared`.
    ///
    /// It lives as long as the process. On macOS it uses sockets, not Network.framework, where a refused
    /// connection would not fail at once.
    package static let client = makeClient(proxy: nil)

    static func makeClient(proxy: HTTPClient.Configuration.Proxy?) -> HTTPClient {
        var configuration = HTTPClient.Configuration()
        configuration.proxy = proxy
        configuration.redirectConfiguration = .disallow
        configuration.timeout.connect = .init(maximumAnswerTime)
        // The caller decides about a retry; a refused connection fails at once.
        configuration.connectionPool.retryConnectionEstablishment = false
        // Over HTTP/1.1, sign-ins must not wait for a connection behind background requests.
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 256
        configuration.timeout.read = .init(maximumAnswerTime)
        // The library creates the span of each request to Apple, with any transport.
        configuration.tracing.tracer = nil
        return HTTPClient(
            eventLoopGroup: MultiThreadedEventLoopGroup.singleton,
            configuration: configuration
        )
    }

    /// Creates a transport over the network, with the library's own client.
    ///
    /// - Returns: a transport that waits ten seconds for a whole response, of at most 256 KiB.
    public static func live() -> AppleTransport { live(nonRedirecting: client) }

    /// Creates a transport over the network with your HTTP client, such as one that trusts your own certificates.
    ///
    /// - Parameter client: the HTTP client. Its `redirectConfiguration` must be `.disallow`: a redirect would send client
    ///   secrets to another host. Its tracer must be nil, because the library creates the spans.
    /// - Returns: a transport that waits ten seconds for a whole response, of at most 256 KiB.
    public static func live(nonRedirecting client: HTTPClient) -> AppleTransport {
        live(nonRedirecting: client, maximumByteCount: maximumAnswerByteCount)
    }

    package static func live(
        nonRedirecting client: HTTPClient,
        maximumByteCount: Int
    ) -> AppleTransport {
        AppleTransport { request, body in
            let answer = try await client.execute(
                HTTPClientRequest(request, body: body),
                timeout: .init(maximumAnswerTime)
            )
            let answerBody = try await answer.body.collect(upTo: maximumByteCount)
            return Response(head: HTTPResponse(answer), body: Data(answerBody.readableBytesView))
        }
    }
}

extension HTTPClientRequest {
    fileprivate init(_ request: HTTPRequest, body: Data) {
        let authority = request.authority ?? ""
        let host = Self.reachable(authority)
        self.init(url: "\(request.scheme ?? "https")://\(host)\(request.path ?? "/")")
        if host != authority { headers.add(name: "Host", value: authority) }
        method = .init(rawValue: request.method.rawValue)
        for field in request.headerFields {
            headers.add(name: field.name.rawName, value: field.value)
        }
        if !body.isEmpty { self.body = .bytes(body) }
    }

    /// The host to connect to: names below `localhost` are this machine, which not every resolver knows.
    ///
    /// Source: [RFC 6761, section 6.3](https://www.rfc-editor.org/rfc/rfc6761#section-6.3)
    private static func reachable(_ authority: String) -> String {
        let parts = authority.split(separator: ":", maxSplits: 1)
        guard let name = parts.first, name.lowercased().hasSuffix(".localhost") else {
            return authority
        }
        return (["localhost"] + parts.dropFirst()).joined(separator: ":")
    }
}

extension HTTPResponse {
    fileprivate init(_ answer: HTTPClientResponse) {
        var fields = HTTPFields()
        for (name, value) in answer.headers {
            guard let name = HTTPField.Name(name) else { continue }
            fields.append(HTTPField(name: name, value: value))
        }
        self.init(status: .init(code: Int(answer.status.code)), headerFields: fields)
    }
}
