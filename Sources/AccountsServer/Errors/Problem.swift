import AppleIdentity
import HTTPTypes
import Hummingbird

/// A refusal as a program reads it.
///
/// Source: [RFC 9457](https://www.rfc-editor.org/rfc/rfc9457)
enum Problem {
    static func response(_ error: ServerError) -> Response {
        let document: JSONObject = [
            "type": "about:blank",
            "title": .string(error.status.reasonPhrase),
            "status": .integer(error.status.code),
            "detail": .string(error.message),
            "code": .string(error.code),
        ]
        var response = Response.json(document, status: error.status)
        response.headers[.contentType] = "application/problem+json; charset=utf-8"
        for field in error.headers { response.headers.append(field) }
        return response
    }
}
