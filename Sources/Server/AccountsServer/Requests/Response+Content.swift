import AppleIdentity
import HTTPTypes
import Hummingbird
import NIOCore

extension Response {
    static func json(
        _ object: JSONObject,
        status: HTTPResponse.Status = .ok,
        type: String = "application/json"
    ) -> Response {
        .json(ByteBuffer(bytes: JSONValue.object(object).bytes), status: status, type: type)
    }

    /// Returns a response with a serialized document.
    static func json(
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

    static func page(_ html: String, status: HTTPResponse.Status = .ok) -> Response {
        Response(
            status: status,
            headers: [.contentType: "text/html; charset=utf-8"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: html))
        )
    }

    /// RFC 9700, section 4.12: after a POST, only 303 makes the browser send a GET.
    /// https://www.rfc-editor.org/rfc/rfc9700#section-4.12
    static func seeOther(_ location: String) -> Response {
        Response(status: .seeOther, headers: [.location: location])
    }
}
