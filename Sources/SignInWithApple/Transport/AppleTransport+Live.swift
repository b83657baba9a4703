import AsyncHTTPClient
import Foundation
import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOPosix

extension AppleTransport {
    /// A client for Apple alone: the shared one of AsyncHTTPClient follows redirects, this doesn't.
    ///
    /// It lives as long as the process, like the shared one, and has sockets on macOS too, where the shared one
    /// goes through Network.framework: a refused connection would be waited for there.
    public static let client: HTTPClient = {
        var configuration = HTTPClient.Configuration()
        configuration.redirectConfiguration = .disallow
        configuration.timeout.connect = .init(maximumAnswerTime)
        // Whoever calls decides about trying again; a refused connection is told at once.
        configuration.connectionPool.retryConnectionEstablishment = false
        configuration.timeout.read = .init(maximumAnswerTime)
        // The library makes a span of each request to Apple, whatever carries it.
        configuration.tracing.tracer = nil
        return HTTPClient(
            eventLoopGroup: MultiThreadedEventLoopGroup.singleton,
            configuration: configuration
        )
    }()

    /// The transport over the network.
    ///
    /// - Parameters:
    ///   - client: the client to use, without a tracer of its own; one that follows redirects would carry
    ///     secrets elsewhere.
    ///   - maximumByteCount: the longest answer read, in bytes.
    /// - Returns: a transport that gives up after ``maximumAnswerTime``.
    public static func live(
        _ client: HTTPClient = client,
        maximumByteCount: Int = maximumAnswerByteCount
    ) -> AppleTransport {
        AppleTransport { request, body in
            let answer = try await client.execute(
                HTTPClientRequest(request, body: body),
                timeout: .init(maximumAnswerTime)
            )
            let answerBody = try await answer.body.collect(upTo: maximumByteCount)
            return (HTTPResponse(answer), Data(answerBody.readableBytesView))
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

    /// Where a name is found: names below `localhost` are this machine, which not every resolver knows.
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
