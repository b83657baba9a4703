import AppleIdentity
import Foundation
import OpenAPIDescription

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
                credential["full_name"] = .object(Schema.personName.write(authorization.name))
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

    static let schema = Schema(
        NativeRequest(),
        .required("client_id", \.clientID, .identifier),
        .usual("scopes", \.scopeNames, .scopes),
        .optional("nonce", \.nonce, .opaque),
        .optional("state", \.state, .opaque),
        .part(\.choice, PersonChoice.schema),
        .usual("real_user_status", \.statusNumber, .integer(in: 0...2))
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
