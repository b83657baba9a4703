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

    func perform(
        _ operation: SimulatedAppleOperation,
        of email: String
    ) async throws(SimulatedAppleError) -> JSONObject {
        let path = "people/\(email.percentEncoded)/"
        switch operation {
        case .signIn(let password):
            return try await send(path + "device", posting: ["password": .string(password)])
        case .account(let app):
            return try await send(path + "device", query: ["client_id": app.rawValue])
        case .credential(let request):
            return try await send(path + "credentials", posting: request)
        case .credentialState(let app, let user):
            let query = ["client_id": app.rawValue, "user": user]
            return try await send(path + "credential-state", query: query)
        case .stopUsing(let app):
            let request: JSONObject = ["client_id": .string(app.rawValue)]
            return try await send(path + "stop-using", posting: request)
        case .setForwarding(let app, let isEnabled):
            let request: JSONObject = [
                "client_id": .string(app.rawValue), "enabled": .boolean(isEnabled),
            ]
            return try await send(path + "forwarding", posting: request)
        }
    }

    private func send(
        _ path: String,
        query: [String: String] = [:],
        posting object: JSONObject? = nil
    ) async throws(SimulatedAppleError) -> JSONObject {
        let query = query.sorted { $0.key < $1.key }
            .map { "\($0.key)=\($0.value.percentEncoded)" }
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
