import HTTPTypes

/// A reason to refuse a request before any of Apple's rules apply.
package enum RequestProblem: Error {
    /// The path with its query is longer than ``AppleEmulator/maximumTargetByteCount``.
    case targetTooLong
    /// The header fields are larger than ``AppleEmulator/maximumFieldByteCount``.
    case fieldsTooLarge
    /// The body is larger than ``AppleEmulator/maximumBodyByteCount``.
    case bodyTooLarge
    /// The body does not match its header fields.
    case bodyMalformed(String)
    /// The body did not arrive in time; the connection is closed without a response.
    case bodyTooSlow(seconds: Int)
    case hostUnknown(served: [String])
    /// The path begins with a world that does not exist.
    case worldUnknown

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
        case .bodyMalformed: .badRequest
        case .worldUnknown: .notFound
        case .bodyTooSlow: .requestTimeout
        case .hostUnknown: .misdirectedRequest
        }
    }

    private var reason: String {
        switch self {
        case .targetTooLong:
            "the path with its query is longer than \(AppleEmulator.maximumTargetByteCount) bytes"
        case .fieldsTooLarge:
            "the header fields are larger than \(AppleEmulator.maximumFieldByteCount) bytes"
        case .bodyTooLarge: "the body is larger than \(AppleEmulator.maximumBodyByteCount) bytes"
        case .bodyMalformed(let problem): "the body can't be read: \(problem)"
        case .bodyTooSlow(let seconds): "the body did not arrive within \(seconds) seconds"
        case .worldUnknown: "the path names a world that does not exist, or has ended"
        case .hostUnknown(let served):
            "this port serves only \(served.joined(separator: ", ")),"
                + " and the request is for another host"
        }
    }

    private var hint: String? {
        switch self {
        case .targetTooLong: "keep long data on your server, and send a short state"
        case .fieldsTooLarge: "send fewer or shorter header fields; cookies count too"
        case .bodyTooLarge, .bodyTooSlow: nil
        case .worldUnknown: "POST /worlds on the control port creates one"
        case .bodyMalformed: "send Content-Length, or a body in valid chunks"
        case .hostUnknown: "send the host name in the Host header field"
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
