import AppleIdentity
import Foundation

/// Why a call to the server failed.
enum ServerFailure: Error, Hashable, Sendable {
    /// The URL neither uses `https` nor names this machine.
    case insecure
    /// There is no complete response.
    case unreachable(String)
    /// The caller's task was cancelled.
    case cancelled
    /// The server is temporarily unavailable: a status from 500, 408, or 429.
    case unavailable(ServerProblem)
    /// The server refuses.
    case refused(ServerProblem)
    /// The response can't be read.
    case unexpected(String)

    /// Whether the same request may succeed later.
    var isRetryable: Bool {
        switch self {
        case .unreachable, .cancelled, .unavailable: true
        case .insecure, .refused, .unexpected: false
        }
    }

    /// The problem document, if the server sent one.
    var problem: ServerProblem? {
        switch self {
        case .unavailable(let problem), .refused(let problem): problem
        case .insecure, .unreachable, .cancelled, .unexpected: nil
        }
    }
}

/// A problem document.
///
/// Source: [RFC 9457](https://www.rfc-editor.org/rfc/rfc9457)
struct ServerProblem: Hashable, Sendable {
    /// The maximum number of bytes of a code; the server's longest have about thirty.
    private static let maximumCodeByteCount = 64
    private static let maximumMessageCharacterCount = 300
    private static let maximumParameterCount = 8
    private static let maximumParameterByteCount = 200
    private static let maximumResumeTokenByteCount = 16 * 1024
    /// The longest wait that the client accepts from a server, in seconds.
    private static let maximumRetryAfter = 3600

    let status: Int
    /// The stable code for programs; empty if the response is not a problem document.
    let code: String
    let message: String?
    /// Seconds after which another attempt makes sense.
    let retryAfter: Int?
    /// The token that the same request must contain when it is sent again.
    let resumeToken: String?
    /// The values in the message.
    let parameters: [String: String]

    init(_ answer: ServerAnswer) {
        let document = (try? JSONObject(parsing: answer.body)).map { JSONFields($0) }
        let code = Self.text(document, "code").flatMap { Self.isCode($0) ? $0 : nil }
        let token = Self.text(document, "resumeToken")
        status = answer.status
        self.code = code ?? ""
        message = Self.text(document, "detail").map {
            String($0.prefix(Self.maximumMessageCharacterCount))
        }
        retryAfter = answer.headers["retry-after"].flatMap { Int($0) }
            .map { min(max($0, 0), Self.maximumRetryAfter) }
        resumeToken = token.flatMap {
            $0.utf8.count <= Self.maximumResumeTokenByteCount ? $0 : nil
        }
        parameters = document.map(Self.parameters) ?? [:]
    }

    private static func parameters(_ document: JSONFields) -> [String: String] {
        let members = document.object["parameters"]?.objectValue?.members ?? []
        let values = members.prefix(maximumParameterCount).compactMap { member in
            member.value.stringValue.map { (member.name, $0) }
        }
        return Dictionary(values) { $1 }
            .filter { isCode($0.key) && $0.value.utf8.count <= maximumParameterByteCount }
    }

    private static func text(_ document: JSONFields?, _ name: String) -> String? {
        document?.object[name]?.stringValue
    }

    private static func isCode(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count <= maximumCodeByteCount
            && text.utf8.allSatisfy {
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0)
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
                    || $0 == UInt8(ascii: "_")
            }
    }
}

extension SignInKitError {
    /// Converts the failure to the client's error.
    init(_ failure: ServerFailure) {
        switch failure {
        case .insecure: self.init(.insecureServer)
        case .unreachable(let hint): self.init(.serverUnreachable, hint: hint)
        case .cancelled: self.init(.canceled, hint: "the task was cancelled")
        case .unexpected(let hint): self.init(.unexpectedAnswer, hint: hint)
        case .unavailable(let problem) where problem.status != 429:
            self.init(
                .serverUnavailable(retryAfter: problem.retryAfter),
                hint: "the server answered \(problem.status) \(problem.code)"
            )
        case .unavailable(let problem), .refused(let problem):
            self.init(problem)
        }
    }

    private init(_ problem: ServerProblem) {
        let kind: Kind =
            switch (problem.status, problem.code) {
            case (_, "recent_sign_in_required"): .freshSignInRequired
            case (_, "session_invalid"), (_, "not_signed_in"): .notSignedIn
            case (let status, ""): .refused(code: "status_\(status)")
            case (_, let code): .refused(code: code)
            }
        self.init(
            kind,
            message: problem.message,
            hint: "the server answered \(problem.status) \(problem.code)"
        )
        parameters = problem.parameters
        // A proxy's refusal has only the header field.
        if problem.status == 429, parameters["seconds"] == nil, let wait = problem.retryAfter {
            parameters["seconds"] = "\(wait)"
        }
    }
}
