import AppleIdentity
import Foundation
import HTTPTypes

/// An answer of the sign-in routes, for any server to send.
public struct SignInResponse: Sendable {
    /// The status.
    public var status: HTTPResponse.Status
    /// The header fields, in order; there may be several `Set-Cookie`.
    public var headers: HTTPFields
    /// The body, empty for a redirect.
    public var body: Data

    /// Makes an answer.
    ///
    /// - Parameters:
    ///   - status: the status.
    ///   - headers: the header fields.
    ///   - body: the body.
    public init(status: HTTPResponse.Status, headers: HTTPFields = [:], body: Data = Data()) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// Sends a browser to another page.
    ///
    /// Source: [RFC 9700, section 4.12](https://www.rfc-editor.org/rfc/rfc9700#section-4.12): after a POST with 303, which
    /// makes the browser GET.
    ///
    /// - Parameter location: a path, or a whole address.
    /// - Returns: the answer, without a body.
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

    /// The same, kept by nobody, framed by nobody, and telling no other site where the browser was.
    var guarded: SignInResponse {
        var response = self
        for (name, value) in Self.guards {
            guard let name = HTTPField.Name(name) else { continue }
            response.headers[name] = value
        }
        return response
    }

    /// Lets a page run one script, named by its hash.
    mutating func allowScript(_ source: String) {
        headers[.contentSecurityPolicy] =
            (headers[.contentSecurityPolicy] ?? "") + "; script-src \(source)"
    }
}
