import AppleIdentity
import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1

/// One request to a server.
struct WebRequest: Sendable {
    var method = "GET"
    let url: URL
    var fields: [(name: String, value: String)] = []
    var body: Data?
}

/// What a server answered.
struct WebAnswer: Sendable {
    /// Where the answer came from.
    let url: URL
    let status: Int
    let headers: [(name: String, value: String)]
    let body: Data

    var text: String { String(decoding: body, as: UTF8.self) }
    var isPage: Bool { self["content-type"]?.lowercased().hasPrefix("text/html") ?? false }
    /// Where a redirect leads.
    var location: URL? {
        guard (300..<400).contains(status) else { return nil }
        return self["location"].flatMap { WebAddress.resolve($0, from: url) }
    }

    subscript(name: String) -> String? { headers.first { $0.name.lowercased() == name }?.value }

    func values(_ name: String) -> [String] {
        headers.filter { $0.name.lowercased() == name }.map(\.value)
    }
}

/// Sends requests within limits, and follows no redirect by itself.
package struct WebClient: Sendable {
    /// How much of an answer is read, in bytes.
    static let maximumAnswerByteCount = 8 * 1024 * 1024
    /// How long an answer may take, in seconds.
    static let maximumAnswerSeconds: Int64 = 30
    /// How long a server that has enough may ask to be left alone, in seconds.
    static let maximumPauseSeconds = 60

    /// Only its redirects differ from the shared client.
    private static let client: HTTPClient = {
        var configuration = HTTPClient.Configuration.singletonConfiguration
        configuration.redirectConfiguration = .disallow
        // Who refuses a connection does not listen: waiting does not help.
        configuration.connectionPool.retryConnectionEstablishment = false
        configuration.timeout.connect = .seconds(maximumAnswerSeconds)
        return HTTPClient(configuration: configuration)
    }()

    private let time: TimeSource

    /// Makes a client.
    ///
    /// - Parameter time: waits when a server asks for a pause.
    package init(time: TimeSource) {
        self.time = time
    }

    /// Sends a request; after 429 once more, when the server says how long to wait.
    func send(_ request: WebRequest) async throws(CheckError) -> WebAnswer {
        let answer = try await sendOnce(request)
        guard answer.status == 429,
            let seconds = answer["retry-after"].flatMap({ Int($0) }),
            (0...Self.maximumPauseSeconds).contains(seconds)
        else { return answer }
        do {
            try await time.sleep(for: .seconds(seconds))
        } catch {
            throw CheckError("the check was stopped", hint: "start it again")
        }
        return try await sendOnce(request)
    }

    private func sendOnce(_ request: WebRequest) async throws(CheckError) -> WebAnswer {
        do {
            let sent = Self.prepared(request)
            let timeout = TimeAmount.seconds(Self.maximumAnswerSeconds)
            let response = try await Self.client.execute(sent, timeout: timeout)
            let body = try await response.body.collect(upTo: Self.maximumAnswerByteCount)
            return WebAnswer(
                url: request.url,
                status: Int(response.status.code),
                headers: response.headers.map { ($0.name, $0.value) },
                body: Data(body.readableBytesView)
            )
        } catch {
            let address = WebAddress.origin(of: request.url) + request.url.path()
            throw CheckError(
                "\(request.method) \(address) got no answer: \(type(of: error))",
                hint: "start the server, and give the address at which it answers this machine"
            )
        }
    }

    /// Browsers know that every name below `localhost` is this machine; systems often do not.
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
