import AppleIdentity
import HTTPTypes

/// Why a request is refused before any of Apple's rules has seen it.
package enum RequestProblem: Error {
    /// The address with its query is longer than ``AppleEmulator/maximumTargetByteCount``.
    case targetTooLong
    /// The header fields are larger than ``AppleEmulator/maximumFieldByteCount``.
    case fieldsTooLarge
    /// The body is larger than ``AppleEmulator/maximumBodyByteCount``.
    case bodyTooLarge
    /// The body is not what its header fields say.
    case bodyMalformed(String)
    /// The body did not come in time; nothing can be answered.
    case bodyTooSlow(seconds: Int)
    case hostUnknown(served: [String])
    /// The request names a world that can't be; what is wrong with it.
    case worldRefused(String)

    init?(_ request: HTTPRequest) {
        guard (request.path ?? "").utf8.count <= AppleEmulator.maximumTargetByteCount else {
            self = .targetTooLong
            return
        }
        let byteCount = request.headerFields.reduce(0) {
            $0 + $1.name.rawName.utf8.count + $1.value.utf8.count
        }
        guard byteCount <= AppleEmulator.maximumFieldByteCount else {
            self = .fieldsTooLarge
            return
        }
        return nil
    }

    // https://www.rfc-editor.org/rfc/rfc9110#section-15.5
    // https://www.rfc-editor.org/rfc/rfc6585#section-5
    private var status: HTTPResponse.Status {
        switch self {
        case .targetTooLong: .uriTooLong
        case .fieldsTooLarge: .requestHeaderFieldsTooLarge
        case .bodyTooLarge: .contentTooLarge
        case .bodyMalformed, .worldRefused: .badRequest
        case .bodyTooSlow: .requestTimeout
        case .hostUnknown: .misdirectedRequest
        }
    }

    private var reason: String {
        switch self {
        case .targetTooLong:
            "the address is longer than \(AppleEmulator.maximumTargetByteCount) bytes"
        case .fieldsTooLarge:
            "the header fields are larger than \(AppleEmulator.maximumFieldByteCount) bytes"
        case .bodyTooLarge: "the body is larger than \(AppleEmulator.maximumBodyByteCount) bytes"
        case .bodyMalformed(let problem): "the body can't be read: \(problem)"
        case .bodyTooSlow(let seconds): "the body did not come within \(seconds) seconds"
        case .worldRefused(let problem): problem
        case .hostUnknown(let served):
            "this port answers for \(served.joined(separator: ", ")) alone,"
                + " and the request is for another host"
        }
    }

    private var hint: String? {
        switch self {
        case .targetTooLong: "keep what is long on your server, and send a short state"
        case .fieldsTooLarge: "send fewer or shorter header fields, cookies among them"
        case .bodyTooLarge, .bodyTooSlow: nil
        case .worldRefused:
            "GET /worlds on the control port lists them, DELETE /worlds/NAME ends one"
        case .bodyMalformed: "send Content-Length, or a body in valid chunks"
        case .hostUnknown: "send the host's name in the field Host"
        }
    }

    var outcome: Outcome {
        var outcome = Outcome.refusal(
            OAuthRefusal(
                .invalidRequest,
                text: "Refused: \(reason).",
                reason: reason,
                status: status
            )
            .hint(hint)
        )
        if case .bodyTooSlow = self { outcome.answer.isDropped = true }
        return outcome
    }
}
