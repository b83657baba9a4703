import AppleIdentity
import Foundation

/// Requests credentials from the emulator's control API, for the iOS simulator and UI tests.
///
/// It shows no sheet: the emulated user consents, as with `POST /people/{email}/credentials`.
public struct EmulatorAuthorization: AuthorizationService {
    private let control: URL
    private let app: ClientID
    private let email: String
    private let transport: any ServerTransport

    /// Creates an authorization service for one emulated user.
    ///
    /// - Parameters:
    ///   - control: the URL of the control port, such as `http://127.0.0.1:8082`.
    ///   - app: the bundle identifier of the app.
    ///   - email: the email address of the user who is signed in on the device.
    ///   - transport: sends the requests to the control port.
    public init(
        control: URL,
        app: ClientID,
        email: String,
        transport: any ServerTransport = URLSessionTransport()
    ) {
        self.control = control
        self.app = app
        self.email = email
        self.transport = transport
    }

    /// Requests a credential from the emulator.
    ///
    /// - Parameter request: the request. If ``AuthorizationRequest/methods`` lacks
    ///   ``AuthorizationRequest/Method/apple``, the call throws ``AuthorizationFailure/Kind/noCredential``.
    /// - Returns: the credential.
    /// - Throws: ``AuthorizationFailure``: `failed` if the control port cannot be reached, `unknown` if it responds
    ///   with an error, such as for an unknown app or email address, `invalidResponse` if the credential is incomplete.
    public func authorize(
        _ request: AuthorizationRequest
    ) async throws(AuthorizationFailure) -> AuthorizedCredential {
        guard request.methods.contains(.apple) else { throw AuthorizationFailure(.noCredential) }
        var body: JSONObject = [
            "client_id": .string(app.rawValue),
            "scopes": .array(request.scopes.map(\.rawValue).sorted().map { .string($0) }),
        ]
        body["nonce"] = request.nonce.map { .string($0) }
        body["state"] = request.state.map { .string($0) }
        let fields = try await fields(
            of: ServerRequest(
                method: "POST",
                url: person.appending(component: "credentials"),
                headers: ["Content-Type": "application/json"],
                body: body.data
            )
        )
        do throws(JSONFieldError) {
            return .apple(try Self.credential(fields, scopes: request.scopes))
        } catch {
            throw AuthorizationFailure(.invalidResponse, hint: "the credential: \(error)")
        }
    }

    /// Requests the state of the user's credential.
    ///
    /// - Parameter user: the user identifier.
    /// - Returns: the state; unknown if the emulator cannot be reached or responds with an error.
    public func credentialState(of user: UserID) async -> CredentialState {
        let url = person.appending(component: "credential-state")
            .appending(queryItems: [URLQueryItem(name: "client_id", value: app.rawValue)])
        do throws(AuthorizationFailure) {
            let state = try await fields(of: ServerRequest(method: "GET", url: url)).object["state"]
            return switch state?.stringValue {
            case "authorized": .authorized
            case "revoked": .revoked
            case "not_found": .notFound
            case "transferred": .transferred
            default: .unknown("the emulator returned no state")
            }
        } catch {
            return .unknown(error.hint)
        }
    }

    /// A stream without values, because the control port sends no events.
    public var revocations: AsyncStream<Void> { AsyncStream { _ in } }

    private var person: URL {
        control.appending(component: "people").appending(component: email)
    }

    private func fields(
        of request: ServerRequest
    ) async throws(AuthorizationFailure) -> JSONFields {
        let answer: ServerAnswer
        do throws(TransportFailure) {
            answer = try await transport.send(request)
        } catch {
            throw AuthorizationFailure(.failed, hint: "the control port: \(error)")
        }
        guard (200..<300).contains(answer.status),
            let object = try? JSONObject(parsing: answer.body)
        else {
            throw AuthorizationFailure(.unknown, hint: "the control port answered \(answer.status)")
        }
        return JSONFields(object)
    }

    private static func credential(
        _ fields: JSONFields,
        scopes: Set<Scope>
    ) throws(JSONFieldError) -> AppleCredential {
        let name = try fields.optionalFields("full_name")
        return AppleCredential(
            user: UserID(try fields.text("user")),
            identityToken: try fields.text("identity_token"),
            authorizationCode: try fields.optionalText("authorization_code"),
            fullName: PersonName(
                givenName: try name?.optionalText("given_name"),
                familyName: try name?.optionalText("family_name")
            ),
            email: try fields.optionalText("email"),
            realUserStatus: fields.object["real_user_status"]?.integerValue ?? 1,
            state: try fields.optionalText("state"),
            authorizedScopes: scopes
        )
    }
}
