import AppleIdentity
import Foundation
import HTTPTypes

/// An HTTP response of a sign-in route, independent of the web framework.
public struct SignInResponse: Sendable {
    /// The status code.
    public var status: HTTPResponse.Status
    /// The header fields in order, with several `Set-Cookie` if needed.
    public var headers: HTTPFields
    /// The body; empty for a redirect.
    public var body: Data

    /// Creates a response.
    ///
    /// - Parameters:
    ///   - status: the status code.
    ///   - headers: the header fields in order.
    ///   - body: the body; empty by default.
    public init(status: HTTPResponse.Status, headers: HTTPFields = [:], body: Data = Data()) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// Creates a redirect with status 303, after which a browser sends a GET.
    ///
    /// Source: [RFC 9700, section 4.12](https://www.rfc-editor.org/rfc/rfc9700#section-4.12)
    ///
    /// - Parameter location: a path or an absolute URL.
    /// - Returns: the response, without a body.
    public static func redirect(to location: String) -> SignInResponse {
        SignInResponse(status: .seeOther, headers: [.location: location])
    }

    package static func json(
        _ object: JSONObject,
        status: HTTPResponse.Status = .ok,
        type: String = "application/json"
    ) -> SignInResponse {
        SignInResponse(
            status: status,
            headers: [.contentType: "\(type); charset=utf-8"],
            body: Data(JSONValue.object(object).bytes)
        )
    }

    package static let problemType = "application/problem+json"

    static func page(_ html: String, status: HTTPResponse.Status = .ok) -> SignInResponse {
        SignInResponse(
            status: status,
            headers: [.contentType: "text/html; charset=utf-8"],
            body: Data(html.utf8)
        )
    }
}

extension SignInResponse {
    /// `same-origin` and not `no-referrer`, for which browsers write `Origin: null` into the form that
    /// posts a callback again.
    private static let guards: [(String, String)] = [
        ("X-Content-Type-Options", "nosniff"),
        ("Referrer-Policy", "same-origin"),
        (
            "Content-Security-Policy",
            "default-src 'none'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
        ),
        ("Cache-Control", "no-store"),
    ]

    /// The response with header fields that forbid caching, framing and referrers to other sites.
    var guarded: SignInResponse {
        var response = self
        for (name, value) in Self.guards {
            guard let name = HTTPField.Name(name) else { continue }
            response.headers[name] = value
        }
        return response
    }

    /// Replaces a redirect to another origin by a page that leads there.
    ///
    /// Browsers apply the `form-action` of the page with a posted form to redirects too.
    /// Source: [CSP 3, section 6.4.1](https://www.w3.org/TR/CSP3/#directive-form-action)
    func leading(from origin: WebFlow.Origin) -> SignInResponse {
        guard status.kind == .redirection, let location = headers[.location],
            let address = URL(string: location, relativeTo: URL(string: origin.redirectURI))?
                .absoluteString,
            SiteOrigin(address) != origin.site
        else { return self }
        let link = HTMLText.escaped(address)
        let response = SignInResponse.page(
            HTMLText.page(
                "Signing in",
                "<p><a href=\"\(link)\">Continue</a></p>",
                head: "<meta http-equiv=\"refresh\" content=\"0; url=\(link)\">"
            )
        )
        let replaced: [HTTPField.Name] = [.location, .contentType, .contentLength]
        return response.adding(headers.filter { !replaced.contains($0.name) }).guarded
    }

    /// The response with further header fields, such as cookies.
    func adding(_ fields: [HTTPField]) -> SignInResponse {
        var response = self
        response.headers.append(contentsOf: fields)
        return response
    }

    /// Adds the token with which an app without cookies repeats its request.
    ///
    /// - Parameters:
    ///   - token: the token, a member of the JSON object in the body.
    ///   - problem: the document that replaces any other body.
    /// - Returns: the response with the token.
    func resumable(by token: String, or problem: JSONObject) -> SignInResponse {
        let own = try? JSONObject(parsing: body)
        var document = own ?? problem
        document["resumeToken"] = .string(token)
        var response = guarded
        response.body = document.data
        response.headers[.contentLength] = nil
        if own == nil { response.headers[.contentType] = Self.problemType }
        return response
    }

    /// Permits a page one script or style, named by its hash.
    mutating func allow(_ directive: String, _ source: String) {
        headers[.contentSecurityPolicy] =
            (headers[.contentSecurityPolicy] ?? "") + "; \(directive) \(source)"
    }
}
