import AppleEmulator
import AppleIdentity
import HTTPTypes
import Hummingbird
import NIOHTTP1

/// A refusal of the control port: problem details with a stable `code` and the invalid `field`.
///
/// Source: [RFC 9457](https://www.rfc-editor.org/rfc/rfc9457)
struct ControlProblem: Error {
    let status: HTTPResponse.Status
    let code: String
    var field: String?
    let message: String
    var allowedMethods: [HTTPRequest.Method] = []

    var response: Response {
        var object: JSONObject = [
            "type": "about:blank", "title": .string(status.reasonPhrase),
            "status": .integer(status.code), "code": .string(code),
        ]
        if let field { object["field"] = .string(field) }
        object["detail"] = .string(message)
        var response = Response(json: object, status: status)
        response.headers[.contentType] = "application/problem+json; charset=utf-8"
        if !allowedMethods.isEmpty {
            response.headers[.allow] = allowedMethods.map(\.rawValue).sorted()
                .joined(separator: ", ")
        }
        return response
    }
}

extension ControlProblem {
    init(_ refusal: ControlRefusal) {
        let status: HTTPResponse.Status =
            switch refusal.kind {
            case .unknownField, .wrongField: .unprocessableContent
            case .conflict: .conflict
            case .notFound: .notFound
            case .malformed: .badRequest
            }
        self.init(
            status: status,
            code: refusal.kind.rawValue,
            field: refusal.field,
            message: refusal.message
        )
    }

    static let unknownHost = ControlProblem(
        status: .forbidden,
        code: "unknown_host",
        message: "The control port accepts only the hosts localhost, 127.0.0.1 and [::1];"
            + " --control-allowed-host adds a name."
    )

    static let crossSite = ControlProblem(
        status: .forbidden,
        code: "cross_site",
        message: "The control port refuses requests from pages of other origins."
    )

    static let starting = ControlProblem(
        status: .serviceUnavailable,
        code: "starting",
        message: "Not all ports are listening yet. Try again in a moment."
    )

    static let notFound = ControlProblem(
        status: .notFound,
        code: "not_found",
        message: "The control port has no such path."
    )

    static let unknownWorld = ControlProblem(
        status: .notFound,
        code: "not_found",
        message: "There is no such world. POST /worlds creates one; it ends after an hour"
            + " without requests."
    )

    static let tooLarge = ControlProblem(
        status: .contentTooLarge,
        code: "too_large",
        message: "The body is larger than \(ControlRequest.maximumBodyByteCount) bytes."
    )

    static let tooManyWaiting = ControlProblem(
        status: .tooManyRequests,
        code: "too_many_waiting",
        message: "\(AppleEmulator.maximumWatcherCount) requests are already waiting."
            + " Omit wait, or try again later."
    )

    /// A body that contradicts its header fields, such as a chunk without a size.
    static func unreadable(_ error: HTTPParserError) -> ControlProblem {
        .malformed("The body can't be read: \(error).")
    }

    static func malformed(_ message: String) -> ControlProblem {
        ControlProblem(status: .badRequest, code: "malformed", message: message)
    }

    static func wrongField(_ field: String, _ problem: String) -> ControlProblem {
        ControlProblem(
            status: .unprocessableContent,
            code: "wrong_field",
            field: field,
            message: "\(field) \(problem)"
        )
    }

    static func notAllowed(_ allowed: [HTTPRequest.Method]) -> ControlProblem {
        ControlProblem(
            status: .methodNotAllowed,
            code: "method_not_allowed",
            message: "This path does not support that method.",
            allowedMethods: allowed
        )
    }
}
