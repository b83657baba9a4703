import AppleIdentity
import HTTPTypes
import Hummingbird
import NIOCore

extension Response {
    /// A JSON answer that nobody keeps.
    init(json object: JSONObject, status: HTTPResponse.Status = .ok) {
        var headers: HTTPFields = [
            .contentType: "application/json; charset=utf-8", .cacheControl: "no-store",
        ]
        PortSecurity.complete(&headers)
        self.init(
            status: status,
            headers: headers,
            body: ResponseBody(byteBuffer: ByteBuffer(string: object.text + "\n"))
        )
    }
}
