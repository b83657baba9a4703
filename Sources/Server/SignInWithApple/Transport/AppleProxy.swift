import AppleIdentity
import AsyncHTTPClient
import Foundation
import HTTPTypes
import StrictHTTP

/// An HTTP proxy through which requests to Apple go, as tunnels with the method `CONNECT`.
///
/// Only requests over `https` go through it. As in curl, that includes those to the machine itself, unless the
/// exceptions list it.
///
/// Source: [RFC 9110, section 9.3.6](https://www.rfc-editor.org/rfc/rfc9110#section-9.3.6)
public struct AppleProxy: Hashable, Sendable {
    /// The maximum size of the URL and of the exceptions, in bytes.
    static let maximumByteCount = 8 * 1024

    private let host: String
    private let port: Int
    private let user: String?
    private let password: String
    private let exceptions: Set<String>

    /// Reads the URL of a proxy.
    ///
    /// - Parameters:
    ///   - text: `http://host:port` or `http://user:password@host:port`; `http://` may be missing. User and password
    ///     are percent-encoded.
    ///   - exceptions: the hosts that are reached directly, with commas: `example.com` or `.example.com` with all
    ///     names below it, or `*` for all. Networks match nothing, because Apple's hosts are names.
    /// - Throws: `configuration_invalid` if the URL is malformed; its hint never contains the URL.
    public init(url text: String, exceptions: String = "") throws(SignInError) {
        let url = text.contains("://") ? text : "http://\(text)"
        guard max(url.utf8.count, exceptions.utf8.count) <= Self.maximumByteCount,
            let parts = URLComponents(string: url), parts.scheme?.lowercased() == "http",
            let host = parts.host.map(Self.bare), !host.isEmpty,
            let port = parts.port, (1...65535).contains(port),
            ["", "/"].contains(parts.path), parts.query == nil, parts.fragment == nil
        else {
            throw SignInError(
                .configurationInvalid,
                hint: "write the proxy as http://host:port or http://user:password@host:port, "
                    + "with user and password percent-encoded"
            )
        }
        self.host = host
        self.port = port
        user = parts.user
        password = parts.password ?? ""
        self.exceptions = Set(
            exceptions.split { $0 == "," || $0.isWhitespace }
                .map { Self.bare($0.hasPrefix(".") ? String($0.dropFirst()) : String($0)) }
        )
    }

    /// Reads `https_proxy` or `HTTPS_PROXY`, and `no_proxy` or `NO_PROXY`, in this order; nil without a proxy.
    ///
    /// - Parameter environment: the environment variables of the process.
    /// - Throws: the error of ``init(url:exceptions:)``.
    public init?(environment: [String: String]) throws(SignInError) {
        let values = Self.settings(in: environment)
        guard let url = values["HTTPS_PROXY"] else { return nil }
        try self.init(url: url, exceptions: values["NO_PROXY"] ?? "")
    }

    /// The settings of a proxy in the environment, under their names in capitals.
    ///
    /// Source: [curl, environment variables](https://everything.curl.dev/usingcurl/proxies/env.html)
    package static func settings(in environment: [String: String]) -> [String: String] {
        var values: [String: String] = [:]
        for name in ["HTTPS_PROXY", "NO_PROXY"] {
            values[name] = [name.lowercased(), name].compactMap { environment[$0] }
                .first { !$0.isEmpty }
        }
        return values
    }

    /// Whether requests to a host go through the proxy.
    package func applies(to host: String) -> Bool {
        let host = Self.bare(host)
        return !exceptions.contains { $0 == "*" || host == $0 || host.hasSuffix(".\($0)") }
    }

    private static func bare(_ host: String) -> String {
        let host = host.lowercased()
        return host.hasPrefix("[") ? String(host.dropFirst().prefix { $0 != "]" }) : host
    }
}

extension AppleProxy: CustomStringConvertible, CustomReflectable {
    /// Host and port only: no log shows the password.
    public var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }

    /// Host and port only: no dump shows the password.
    public var customMirror: Mirror { Mirror(self, children: ["address": description]) }
}

extension AppleTransport {
    /// Creates a transport over the network, through a proxy.
    ///
    /// - Parameter proxy: the proxy; nil for none.
    /// - Returns: a transport as ``live()`` creates it.
    public static func live(through proxy: AppleProxy?) -> AppleTransport {
        guard let proxy else { return live() }
        let (direct, tunneled) = (live(), live(nonRedirecting: proxy.client))
        return AppleTransport { request, body in
            let url = URL(string: "https://\(request.authority ?? "")")
            guard request.scheme?.lowercased() == "https", proxy.applies(to: url?.host() ?? "")
            else { return try await direct.send(request, body: body) }
            do {
                return try await tunneled.send(request, body: body)
            } catch {
                throw SignInError(.appleUnavailable, hint: proxy.words(for: error))
            }
        }
    }
}

extension AppleProxy {
    /// One client for each proxy; like the default client, it lives as long as the process.
    private static let clients = LockedValue<[AppleProxy: HTTPClient]>([:])

    fileprivate var client: HTTPClient {
        Self.clients.withLock { clients in
            if let client = clients[self] { return client }
            let authorization = user.map {
                HTTPClient.Authorization.basic(username: $0, password: password)
            }
            let client = AppleTransport.makeClient(
                proxy: .server(host: host, port: port, authorization: authorization)
            )
            clients[self] = client
            return client
        }
    }

    /// Only the type of other errors, because an error's text could repeat what was sent.
    fileprivate func words(for error: any Error) -> String {
        switch error as? HTTPClientError {
        case .proxyAuthenticationRequired:
            "the proxy \(self) refuses the user or password, or requires them (407)"
        case .invalidProxyResponse:
            "the proxy \(self) refuses the connection; check its user, password and allowed hosts"
        default:
            "no response through the proxy \(self): "
                + (ConnectionFailure.words(for: error) ?? "\(type(of: error))")
        }
    }
}
