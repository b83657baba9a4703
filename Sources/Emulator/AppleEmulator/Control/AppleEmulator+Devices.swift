import AppleIdentity
import Foundation
import OpenAPIDescription

/// Requests of a device to Apple.
extension AppleEmulator {
    /// Creates the credential that a device gives an app when the user agrees.
    package func credentials(
        for email: String,
        _ object: JSONObject
    ) async throws(ControlRefusal) -> JSONObject {
        await prepareKeys()
        return try currentState.credentials(for: email, object)
    }

    /// Returns the state that a device reports for a user and a client.
    ///
    /// - Parameters:
    ///   - email: an email address of the user's account.
    ///   - clientID: an App ID or a Services ID.
    /// - Returns: `authorized`, `revoked`, `not_found` or `transferred`.
    /// - Throws: ``ControlRefusal`` if the user or the client is unknown.
    public func credentialState(
        of email: String,
        clientID: ClientID
    ) throws(ControlRefusal) -> String {
        try numberedCredentialState(of: email, clientID: clientID.rawValue).rawValue
    }

    /// Signs a person in to a device, and returns what the device knows about them.
    package func signInToDevice(
        _ email: String,
        _ object: JSONObject
    ) throws(ControlRefusal) -> JSONObject {
        let fields = try FieldReader(object, known: ["password", "client_id"])
        let password = try fields.text("password")
        guard try currentState.people.require(email).account.password == password else {
            throw .wrong("password", "is not the password of the account")
        }
        return try device(of: email, clientID: fields.optionalText("client_id"))
    }

    /// Returns what a device knows about its signed-in person and about the app.
    package func device(of email: String, clientID: String?) throws(ControlRefusal) -> JSONObject {
        let person = try currentState.people.require(email)
        var object: JSONObject = ["email": .string(person.account.email)]
        object["given_name"] = person.account.givenName.map { .string($0) }
        object["family_name"] = person.account.familyName.map { .string($0) }
        object["addresses"] = .array(person.account.addresses.map { .string($0) })
        object["two_factor"] = .boolean(person.account.hasTwoFactor)
        object["managed"] = .boolean(person.account.isManaged)
        if let clientID {
            let client = try currentState.registry.require(clientID)
            object["app"] = [
                "client_id": .string(client.clientID.rawValue), "name": .string(client.name),
                "developer": .string(
                    currentState.registry.teams[client.teamID]?.name ?? client.teamID.rawValue
                ),
                "used": .boolean(person.consents[client.group] != nil),
            ]
        }
        object["apps"] = .array(
            AccountApp.all(of: person, in: currentState.registry).map { .object($0.object) }
        )
        return object
    }

    /// Returns the state that a device reports for a person and an app, with Apple's number.
    ///
    /// `user` is the identifier that the app has. If the app's team never had it for this person,
    /// the state is `notFound`. Nil means the person's current identifier.
    package func numberedCredentialState(
        of email: String,
        clientID: String,
        user: String? = nil
    ) throws(ControlRefusal) -> CredentialState {
        let person = try currentState.people.require(email)
        let client = try currentState.registry.require(clientID)
        let state = person.credentialState(group: client.group)
        guard let user else { return state }
        // After a transfer the app still has the identifier from the previous team.
        let team =
            state == .transferred
            ? currentState.transfers.transfers[client.group]?.fromTeam ?? client.teamID
            : client.teamID
        return person.identities[team]?.userID.rawValue == user ? state : .notFound
    }
}

extension AccountApp {
    fileprivate var object: JSONObject {
        var object: JSONObject = [
            "client_id": .string(group.rawValue), "name": .string(name),
            "developer": .string(developer),
        ]
        switch email {
        case .notShared: object["email"] = "none"
        case .shared(let address):
            object["email"] = "share"
            object["address"] = .string(address)
        case .hidden(let relayAddress, let isForwarded):
            object["email"] = "hide"
            object["address"] = relayAddress.map { .string($0) }
            object["forwarding"] = .boolean(isForwarded)
        }
        return object
    }
}

extension EmulatorState {
    mutating func credentials(
        for email: String,
        _ object: JSONObject
    ) throws(ControlRefusal) -> JSONObject {
        let person = try people.require(email)
        var request = try NativeRequest(object)
        let client = try registry.require(request.clientID.rawValue)
        guard !client.isService else {
            throw .wrong("client_id", "is a Services ID; devices use App IDs")
        }
        request.choice = try request.choice.checked(for: person.account)
        let lasting = switches
        defer { (switches, requestedSwitches) = (lasting, [:]) }
        if let own = request.switches {
            try switches.change(own, isForRequest: true)
            requestedSwitches = own
        }
        do throws(OAuthRefusal) {
            flows.beginRequest()
            let credential = try credential(for: person.id, client, request)
            if let trace = flows.endRequest() {
                flows.record(
                    .device(request: object, credential: credential),
                    trace,
                    beginning: .native,
                    clientID: client.clientID.rawValue,
                    at: clock.now
                )
            }
            return credential
        } catch {
            throw ControlRefusal(kind: .malformed, message: error.reason)
        }
    }

    private mutating func credential(
        for personID: PersonID,
        _ client: RegisteredClient,
        _ request: NativeRequest
    ) throws(OAuthRefusal) -> JSONObject {
        let draft = AuthorizationDraft(
            client: client,
            scopes: request.scopes,
            nonce: request.nonce,
            authenticatedAt: now,
            choice: request.choice
        )
        let authorization = try issue(draft, to: personID)
        let status = authorization.isFirst ? request.realUserStatus : .unknown
        let token = try identityToken(
            for: authorization.grant,
            on: .authorization(
                code: authorization.code,
                realUserStatus: authorization.isFirst ? status : nil
            )
        )
        var credential: JSONObject = [
            "user": .string(authorization.userID.rawValue), "identity_token": .string(token),
            "authorization_code": .string(authorization.code),
        ]
        if authorization.isFirst {
            credential["email"] = authorization.email.map { .string($0.address) }
            if request.scopes.contains(.name), !authorization.name.isEmpty {
                credential["full_name"] = .object(ObjectSchema.personName.write(authorization.name))
            }
        }
        credential["real_user_status"] = .integer(status.rawValue)
        credential["state"] = request.state.map { .string($0) }
        return credential
    }
}

/// An app's authorization request on a device, with the person's choice.
struct NativeRequest: SchemaObject {
    private(set) var clientID: ClientID = ""
    private var scopeNames: [String] = []
    private(set) var nonce: String?
    private(set) var state: String?
    var choice = PersonChoice()
    private var statusNumber = RealUserStatus.likelyReal.rawValue
    /// Switches for this sign-in, as in an authorization request.
    private(set) var switches: JSONObject?

    static let schema = ObjectSchema(
        NativeRequest(),
        .required("client_id", \.clientID, .identifier),
        .usual("scopes", \.scopeNames, .scopes),
        .optional("nonce", \.nonce, .opaque),
        .optional("state", \.state, .opaque),
        .part(\.choice, PersonChoice.schema),
        .usual("real_user_status", \.statusNumber, .integer(in: 0...2)),
        .optional(
            "switches",
            \.switches,
            .members.refusing(ControlBody.switchesOfRequest) { _, _ in nil }
        )
    )

    var scopes: Set<Scope> { Set(scopeNames.map { Scope($0) }) }
    /// Apple's estimate whether the person is real, returned at the first sign-in.
    var realUserStatus: RealUserStatus { RealUserStatus(rawValue: statusNumber) }
}

extension ValueForm<[String]> {
    private static let names = [Scope.name.rawValue, Scope.email.rawValue]

    fileprivate static let scopes = texts.checked(
        "can contain only name and email",
        .list(of: .word(names), maximumCount: FieldReader.maximumListCount)
    ) { Set($0).isSubset(of: names) }
}

extension ValueForm<String> {
    fileprivate static let opaque = text(maximumCount: AuthorizationRequest.maximumOpaqueByteCount)
}
