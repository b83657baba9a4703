import AppleIdentity
import HTTPTypes
import Hummingbird
import NIOCore

/// What an operation of the control port answers.
enum ControlAnswer {
    /// 200 with an object.
    case found(JSONObject)
    /// 201 with what was made.
    case made(JSONObject)
    /// 204.
    case done
    /// 200 with a page.
    case page(String, HTTPFields)

    var response: Response {
        switch self {
        case .found(let object): Response(json: object)
        case .made(let object): Response(json: object, status: .created)
        case .done: Self.empty
        case .page(let text, let headers): Self.page(text, headers)
        }
    }

    private static var empty: Response {
        var headers: HTTPFields = [.cacheControl: "no-store"]
        PortSecurity.complete(&headers)
        return Response(status: .noContent, headers: headers)
    }

    private static func page(_ text: String, _ fields: HTTPFields) -> Response {
        var headers = fields
        PortSecurity.complete(&headers)
        return Response(
            status: .ok,
            headers: headers,
            body: ResponseBody(byteBuffer: ByteBuffer(string: text))
        )
    }
}
