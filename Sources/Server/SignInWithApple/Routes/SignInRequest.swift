import AppleIdentity
import Foundation
import HTTPTypes
import Logging

/// An HTTP request to a sign-in route, independent of the web framework.
public struct SignInRequest: Sendable {
    package static let formType = "application/x-www-form-urlencoded"
    private static let maximumFormFieldCount = 32

    /// Method, target and header fields; the authority is that of the `Host` field.
    public let head: HTTPRequest

    private let collect: @Sendable (_ maximumByteCount: Int) async throws -> Data

    /// Creates a request from the framework's values.
    ///
    /// - Parameters:
    ///   - method: the method, such as `POST`.
    ///   - target: path and query as in the request line, such as `/auth/apple?return_to=/account`.
    ///   - headers: the header fields in order.
    ///   - body: the whole body; more than ``SignInRoute/maximumBodyByteCount`` bytes get a response with 413.
    public init(
        method: String,
        target: String,
        headers: HTTPFields,
        body: Data
    ) {
        let host = HTTPField.Name("Host").flatMap { headers[$0] }
        let head = HTTPRequest(
            // No route has the method TRACE, so an invalid method matches no route.
            method: HTTPRequest.Method(method) ?? .trace,
            scheme: nil,
            authority: host,
            path: target,
            headerFields: headers
        )
        self.init(head: head, body: body)
    }

    /// Creates a request from its head, as frameworks with swift-http-types have it, and its body.
    ///
    /// - Parameters:
    ///   - head: method, target and header fields; the authority is that of the `Host` field.
    ///   - body: the whole body; more than ``SignInRoute/maximumBodyByteCount`` bytes get a response with 413.
    public init(head: HTTPRequest, body: Data) {
        self.init(head: head) { maximumByteCount in
            guard body.count <= maximumByteCount else {
                throw RefusedSignIn.contentTooLarge(maximumByteCount)
            }
            return body
        }
    }

    /// Creates a request whose body is read once its head has been checked.
    package init(
        head: HTTPRequest,
        collect: @escaping @Sendable (_ maximumByteCount: Int) async throws -> Data
    ) {
        self.head = head
        self.collect = collect
    }
}

extension SignInRequest {
    /// The whole body, if it is of this type and not too large.
    package func content(type: String, maximumByteCount: Int) async throws -> Data {
        let announced = head.headerFields[.contentType]?
            .split(separator: ";").first?.trimmingCharacters(in: .whitespaces).lowercased()
        guard announced == type else { throw RefusedSignIn.unsupportedContentType(type) }
        let length = head.headerFields[.contentLength].flatMap(Int.init)
        if let length, length > maximumByteCount {
            throw RefusedSignIn.contentTooLarge(maximumByteCount)
        }
        return try await collect(maximumByteCount)
    }

    /// The members of the body's JSON object.
    package func jsonFields(maximumByteCount: Int) async throws -> JSONFields {
        let body = try await content(type: "application/json", maximumByteCount: maximumByteCount)
        do {
            return JSONFields(try JSONObject(parsing: body))
        } catch {
            throw RefusedSignIn.jsonUnreadable("\(error)")
        }
    }

    /// The fields of a form, in order.
    package func form(maximumByteCount: Int) async throws -> [(name: String, value: String)] {
        let body = try await content(type: Self.formType, maximumByteCount: maximumByteCount)
        guard let fields = FormCoding.decode(body), fields.count <= Self.maximumFormFieldCount
        else { throw RefusedSignIn.formUnreadable }
        return fields
    }
}

extension HTTPRequest {
    /// The path without its query.
    var targetPath: String { String((path ?? "").prefix { $0 != "?" }) }

    /// The first value of a field of the query; nil if it is missing or the query cannot be decoded.
    func queryValue(_ name: String) -> String? {
        guard let query = (path ?? "").split(separator: "?", maxSplits: 1).dropFirst().first
        else { return nil }
        return FormCoding.decode(Data(query.utf8))?.first { $0.name == name }?.value
    }

    /// The cookies in order, as RFC 6265, section 4.2.1, writes them.
    ///
    /// Source: [RFC 6265, section 4.2.1](https://www.rfc-editor.org/rfc/rfc6265#section-4.2.1)
    var cookies: [(name: Substring, value: Substring)] {
        headerFields[values: .cookie].flatMap { field in
            field.split(separator: ";").compactMap { pair in
                let pair = pair.drop { $0.isWhitespace }
                guard let equals = pair.firstIndex(of: "=") else { return nil }
                return (pair[..<equals], pair[pair.index(after: equals)...])
            }
        }
    }

    /// The value of the first cookie with this name.
    func cookie(_ name: String) -> String? {
        cookies.first { $0.name == name }.map { String($0.value) }
    }

    /// Whether a request changes nothing, has an app's Bearer token, or comes from an own page.
    ///
    /// A browser sends no Bearer token of its own, and with one the routes ignore the cookie.
    package func mayChange(at origin: String) -> Bool {
        [.get, .head].contains(method) || bearerToken != nil || isFromOwnPage(at: origin)
    }

    /// Whether a change was requested from one of the server's own pages.
    ///
    /// `Sec-Fetch-Site` decides if it is present; older browsers send `Origin` with every form.
    /// Source: [Fetch Metadata Request Headers](https://www.w3.org/TR/fetch-metadata/#sec-fetch-site-header)
    package func isFromOwnPage(at origin: String) -> Bool {
        fetchMetadata("Site").map { $0 == "same-origin" } ?? (headerFields[.origin] == origin)
    }

    /// Whether a page of another origin of the same site requested it, by the browser's list of registrable domains.
    package var isFromSameSite: Bool { fetchMetadata("Site") == "same-site" }

    /// Whether another site sent the browser here; a typed or bookmarked URL is not another site.
    var isFromOtherSite: Bool {
        guard let site = fetchMetadata("Site") else { return false }
        return site != "same-origin" && site != "none"
    }

    /// Whether a browser opens the URL in a window, not as an image, a frame or data; true if it does not say.
    ///
    /// Chromium sends the destination `empty` when the site's own service worker passes a navigation on.
    package var isNavigation: Bool {
        let (mode, destination) = (fetchMetadata("Mode"), fetchMetadata("Dest"))
        // Another site can have the browser load a URL ahead.
        let isAhead = HTTPField.Name("Sec-Purpose").map { headerFields[$0] != nil } ?? false
        return !isAhead && mode ?? "navigate" == "navigate"
            && (destination ?? "document" == "document" || destination == "empty" && mode != nil)
    }

    private func fetchMetadata(_ name: String) -> String? {
        HTTPField.Name("Sec-Fetch-\(name)").flatMap { headerFields[$0] }
    }
}

/// A request to a route, with the framework's context for the developer's functions.
struct SignInCall<Context> {
    let request: SignInRequest
    let context: Context
    let logger: Logger
    let route: String

    var head: HTTPRequest { request.head }
}
