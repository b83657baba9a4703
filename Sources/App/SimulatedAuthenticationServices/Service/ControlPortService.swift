import AppleIdentity
import Foundation
import LimitedTransport

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A client of the emulator's control port over HTTP.
struct ControlPortService: SimulatedAppleService {
    /// The longest response that is read, in bytes.
    static let maximumAnswerByteCount = 256 * 1024
    /// The time after which a request fails.
    static let maximumTime = Duration.seconds(60)

    /// The base URL of the control port, with a slash at the end.
    private let base: String
    private let session = LimitedSession(
        maximumByteCount: maximumAnswerByteCount,
        maximumTime: maximumTime
    )

    init(address: String) { base = address.hasSuffix("/") ? address : address + "/" }

    func signIn(
        _ email: String,
        _ request: JSONObject
    ) async throws(SimulatedAppleError) -> JSONObject {
        try await send(path(email, "device"), posting: request)
    }

    func account(of email: String, app: ClientID) async throws(SimulatedAppleError) -> JSONObject {
        try await send(path(email, "device"), query: ["client_id": app.rawValue])
    }

    func credential(
        for email: String,
        _ request: JSONObject
    ) async throws(SimulatedAppleError) -> JSONObject {
        try await send(path(email, "credentials"), posting: request)
    }

    func credentialState(
        of email: String,
        app: ClientID,
        user: String
    ) async throws(SimulatedAppleError) -> JSONObject {
        let query = ["client_id": app.rawValue, "user": user]
        return try await send(path(email, "credential-state"), query: query)
    }

    func stopUsing(_ app: ClientID, by email: String) async throws(SimulatedAppleError) {
        let request: JSONObject = ["client_id": .string(app.rawValue)]
        _ = try await send(path(email, "stop-using"), posting: request)
    }

    func setForwarding(
        _ isEnabled: Bool,
        for app: ClientID,
        by email: String
    ) async throws(SimulatedAppleError) {
        let request: JSONObject = [
            "client_id": .string(app.rawValue), "enabled": .boolean(isEnabled),
        ]
        _ = try await send(path(email, "forwarding"), posting: request)
    }

    private func path(_ email: String, _ action: String) -> String {
        "people/\(Self.escaped(email))/\(action)"
    }

    /// Escapes all characters except unreserved ones.
    ///
    /// Source: [RFC 3986, section 2.3](https://www.rfc-editor.org/rfc/rfc3986#section-2.3)
    private static func escaped(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: unreserved) ?? ""
    }

    private static let unreserved = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
    )

    private func send(
        _ path: String,
        query: [String: String] = [:],
        posting object: JSONObject? = nil
    ) async throws(SimulatedAppleError) -> JSONObject {
        let query = query.sorted { $0.key < $1.key }
            .map { "\($0.key)=\(Self.escaped($0.value))" }
            .joined(separator: "&")
        let address = base + path
        guard let url = URL(string: query.isEmpty ? address : address + "?" + query) else {
            throw .unreachable("\(base) is not a control port URL")
        }
        var request = URLRequest(url: url)
        if let object {
            request.httpMethod = "POST"
            request.httpBody = object.data
            request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        }
        request.setValue("application/json", forHTTPHeaderField: "Accept")
        return try await answer(to: request)
    }

    private func answer(to request: URLRequest) async throws(SimulatedAppleError) -> JSONObject {
        let answer = try await load(request)
        let object: JSONObject
        do throws(JSONError) {
            object = try JSONObject(parsing: answer.body)
        } catch {
            throw .unreadable("status \(answer.status), and the body is invalid: \(error)")
        }
        guard (200..<300).contains(answer.status) else {
            throw .refused(
                code: object["code"]?.stringValue ?? "status \(answer.status)",
                field: object["field"]?.stringValue,
                message: object["detail"]?.stringValue ?? "status \(answer.status)"
            )
        }
        return object
    }

    private func load(_ request: URLRequest) async throws(SimulatedAppleError) -> LimitedAnswer {
        do throws(LimitedTransportFailure) {
            return try await session.send(request)
        } catch {
            switch error {
            case .tooLarge:
                throw .unreadable("it has more than \(Self.maximumAnswerByteCount) bytes")
            case .timedOut: throw .unreachable("the response took too long")
            case .cancelled: throw .unreachable("the request was cancelled")
            case .unreachable(let reason): throw .unreachable(reason)
            }
        }
    }
}
