import AppleIdentity
import Foundation

/// Requests credentials from the emulator's control API, for the iOS simulator and UI tests.
///
/// It shows no sheet: the emulated user decides as ``EmulatedChoice`` says.
public struct EmulatorAuthorization: AuthorizationService {
    private let control: URL
    private let app: ClientID
    private let email: String
    private let choice: EmulatedChoice
    private let transport: any ServerTransport
    package var time = TimeSource.live

    /// Creates an authorization service for one emulated user.
    ///
    /// - Parameters:
    ///   - control: the URL of the control port, such as `http://127.0.0.1:8082`.
    ///   - app: the bundle identifier of the app.
    ///   - email: the email address of the user who is signed in on the device.
    ///   - choice: the user's decision, and what the device lacks.
    ///   - transport: sends the requests to the control port.
    public init(
        control: URL,
        app: ClientID,
        email: String,
        choice: EmulatedChoice = EmulatedChoice(),
        transport: any ServerTransport = URLSessionTransport()
    ) {
        self.control = control
        self.app = app
        self.email = email
        self.choice = choice
        self.transport = transport
    }

    /// Creates one from the launch environment that a UI test sets; nil without `SIWA_EMULATOR`.
    ///
    /// `SIWA_EMULATOR` is the URL of the control port, `SIWA_EMULATOR_PERSON` the email address (default
    /// `maya@example.com`), and `SIWA_EMULATOR_CHOICE` the words of ``EmulatedChoice/init(words:)``.
    ///
    /// - Parameters:
    ///   - environment: the environment of the app.
    ///   - app: the bundle identifier of the app.
    public init?(
        environment: [String: String] = ProcessInfo.processInfo.environment,
        app: ClientID
    ) {
        guard let control = environment["SIWA_EMULATOR"].flatMap({ URL(string: $0) }),
            let choice = EmulatedChoice(words: environment["SIWA_EMULATOR_CHOICE"] ?? "")
        else { return nil }
        let email = environment["SIWA_EMULATOR_PERSON"] ?? "maya@example.com"
        self.init(control: control, app: app, email: email, choice: choice)
    }

    /// Requests a credential from the emulator.
    ///
    /// - Parameter request: the request. If ``AuthorizationRequest/methods`` lacks
    ///   ``AuthorizationRequest/Method/apple``, or it is silent and the user does not use the app yet, the call throws
    ///   ``AuthorizationFailure/Kind/noCredential``.
    /// - Returns: the credential.
    /// - Throws: ``AuthorizationFailure``: the failure of the ``EmulatedChoice``, `failed` if the control port cannot be reached, `unknown` if it responds
    ///   with an error, such as for an unknown app or email address, `invalidResponse` if the credential is incomplete.
    public func authorize(
        _ request: AuthorizationRequest
    ) async throws(AuthorizationFailure) -> AuthorizedCredential {
        guard request.methods.contains(.apple) else { throw AuthorizationFailure(.noCredential) }
        if request.onlyImmediatelyAvailable {
            let isStored = await currentState() == .authorized
            guard choice.device == .complete, isStored else {
                throw AuthorizationFailure(.noCredential)
            }
        }
        if let failure = choice.failure { throw failure }
        var body: JSONObject = [
            "client_id": .string(app.rawValue),
            "scopes": .array(request.scopes.map(\.rawValue).sorted().map { .string($0) }),
        ]
        body["nonce"] = request.nonce.map { .string($0) }
        body["state"] = request.state.map { .string($0) }
        choice.add(to: &body)
        let fields = try await post("credentials", body)
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
        await currentState()
    }

    /// The state of the emulated user, whom the control port finds by email address.
    private func currentState() async -> CredentialState {
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

    /// Yields a value when the emulated user stops using the app; it asks the control port once a second.
    public var revocations: AsyncStream<Void> {
        AsyncStream { continuation in
            let task = Task {
                var former = await currentState()
                while (try? await time.sleep(for: .seconds(1))) != nil {
                    let state = await currentState()
                    if former == .authorized, state == .revoked { continuation.yield() }
                    if case .unknown = state { continue }
                    former = state
                }
                continuation.finish()
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }

    /// Ends the user's consent, as if the user had done it in Settings.
    ///
    /// - Throws: ``AuthorizationFailure``: `failed` if the control port cannot be reached, `unknown` if it responds with
    ///   an error.
    public func stopUsing() async throws(AuthorizationFailure) {
        _ = try await post("stop-using", ["client_id": .string(app.rawValue)])
    }

    private var person: URL {
        control.appending(component: "people").appending(component: email)
    }

    private func post(
        _ operation: String,
        _ body: JSONObject
    ) async throws(AuthorizationFailure) -> JSONFields {
        try await fields(
            of: ServerRequest(
                method: "POST",
                url: person.appending(component: operation),
                headers: ["Content-Type": "application/json"],
                body: body.data
            )
        )
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
