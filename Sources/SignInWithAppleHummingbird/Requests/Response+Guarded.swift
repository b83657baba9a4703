import AppleIdentity
import HTTPTypes
import Hummingbird

extension Response {
    private static let guards: [(String, String)] = [
        ("X-Content-Type-Options", "nosniff"),
        ("Referrer-Policy", "no-referrer"),
        ("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'; base-uri 'none'"),
        ("Cache-Control", "no-store"),
    ]

    /// The same, kept by nobody, framed by nobody, and telling no site where the browser was.
    var guarded: Response {
        var response = self
        for (name, value) in Self.guards {
            guard let name = HTTPField.Name(name) else { continue }
            response.headers[name] = value
        }
        return response
    }

    static func json(
        _ object: JSONObject,
        status: HTTPResponse.Status,
        type: String = "application/json"
    ) -> Response {
        Response(
            status: status,
            headers: [.contentType: "\(type); charset=utf-8"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: JSONValue.object(object).text))
        )
    }

    /// RFC 9700, section 4.12: after a POST the browser is sent on with 303, which makes it GET.
    /// https://www.rfc-editor.org/rfc/rfc9700#section-4.12
    static func seeOther(_ location: String) -> Response {
        Response(status: .seeOther, headers: [.location: location])
    }
}
