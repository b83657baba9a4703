import AppleEmulatorPages
import AppleIdentity
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

enum ControlAnswer {
    /// 200 with an object.
    case found(JSONObject)
    /// 201 with the created object.
    case made(JSONObject)
    /// 200 with the text of a JSON document.
    case document(Data)
    /// 204.
    case done
    /// A page, with 200 unless another status is given.
    case page(String, HTTPFields, HTTPResponse.Status = .ok)
    /// 303 to a path of this port.
    case seeOther(String)

    /// The response of a world, whose path begins the links of its pages.
    func response(in world: World) -> Response {
        switch self {
        case .found(let object): Response(json: object)
        case .made(let object): Response(json: object, status: .created)
        case .document(let data):
            Response(
                .ok,
                [.contentType: "application/json", .cacheControl: "no-store"],
                ResponseBody(byteBuffer: ByteBuffer(bytes: data))
            )
        case .done: Response(.noContent, [.cacheControl: "no-store"])
        case .page(let text, let headers, let status):
            Response(
                status,
                headers,
                ResponseBody(
                    byteBuffer: ByteBuffer(
                        string: EmulatorPageRenderer.linked(text, under: world.path)
                    )
                )
            )
        case .seeOther(let address):
            Response(.seeOther, [.location: world.path + address, .cacheControl: "no-store"])
        }
    }
}

extension Response {
    /// Creates a response with the header fields of every response.
    init(_ status: HTTPResponse.Status, _ fields: HTTPFields, _ body: ResponseBody = .init()) {
        var headers = fields
        PortSecurity.complete(&headers)
        self.init(status: status, headers: headers, body: body)
    }

    /// Creates a JSON response that is not cached.
    init(json object: JSONObject, status: HTTPResponse.Status = .ok) {
        self.init(
            status,
            [.contentType: "application/json; charset=utf-8", .cacheControl: "no-store"],
            ResponseBody(byteBuffer: ByteBuffer(string: object.text + "\n"))
        )
    }
}

/// Header fields that every response gets unless it sets its own.
enum PortSecurity {
    private static let fields = [
        ("X-Content-Type-Options", "nosniff"),
        ("Content-Security-Policy", "default-src 'none'; base-uri 'none'; frame-ancestors 'none'"),
        ("Referrer-Policy", "no-referrer"), ("X-Frame-Options", "DENY"),
    ]

    static func complete(_ headers: inout HTTPFields) {
        for (text, value) in fields {
            guard let name = HTTPField.Name(text), headers[name] == nil else { continue }
            headers[name] = value
        }
    }
}
