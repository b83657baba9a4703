import AppleIdentity
import HTTPTypes
import Hummingbird

extension Response {
    static func json(_ object: JSONObject, status: HTTPResponse.Status = .ok) -> Response {
        let text = JSONValue.object(object).text
        return Response(
            status: status,
            headers: [.contentType: "application/json; charset=utf-8"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: text))
        )
    }

    static func page(_ html: String, status: HTTPResponse.Status = .ok) -> Response {
        Response(
            status: status,
            headers: [.contentType: "text/html; charset=utf-8"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: html))
        )
    }

    /// RFC 9700, section 4.12: after a POST the browser is sent on with 303, which makes it GET.
    /// https://www.rfc-editor.org/rfc/rfc9700#section-4.12
    static func seeOther(_ location: String) -> Response {
        Response(status: .seeOther, headers: [.location: location])
    }

    static var nothing: Response { Response(status: .noContent) }
}
