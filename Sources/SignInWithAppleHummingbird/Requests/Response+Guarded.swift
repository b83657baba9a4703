import AppleIdentity
import HTTPTypes
import Hummingbird

extension Response {
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
    var guarded: Response {
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

    package static func json(
        _ object: JSONObject,
        status: HTTPResponse.Status = .ok,
        type: String = "application/json"
    ) -> Response {
        .json(ByteBuffer(bytes: JSONValue.object(object).bytes), status: status, type: type)
    }

    /// The same of a document that is written already.
    package static func json(
        _ document: ByteBuffer,
        status: HTTPResponse.Status = .ok,
        type: String = "application/json"
    ) -> Response {
        Response(
            status: status,
            headers: [.contentType: "\(type); charset=utf-8"],
            body: ResponseBody(byteBuffer: document)
        )
    }

    package static func page(_ html: String, status: HTTPResponse.Status = .ok) -> Response {
        Response(
            status: status,
            headers: [.contentType: "text/html; charset=utf-8"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: html))
        )
    }

    /// RFC 9700, section 4.12: after a POST the browser is sent on with 303, which makes it GET.
    /// https://www.rfc-editor.org/rfc/rfc9700#section-4.12
    package static func seeOther(_ location: String) -> Response {
        Response(status: .seeOther, headers: [.location: location])
    }
}
