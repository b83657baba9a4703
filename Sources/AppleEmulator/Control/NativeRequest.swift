import AppleIdentity

/// What an app on a device asks for, and what the person there chooses.
struct NativeRequest {
    let client: RegisteredClient
    let scopes: Set<Scope>
    let nonce: String?
    let state: String?
    let choice: PersonChoice
    /// Apple's guess about the person, told at the first sign-in.
    let realUserStatus: RealUserStatus

    init(
        _ object: JSONObject,
        by account: SeedPerson,
        registry: ClientRegistry
    ) throws(ControlRefusal) {
        let fields = try FieldReader(
            object,
            known: [
                "client_id", "scopes", "nonce", "state", "email", "shared_email", "name",
                "real_user_status",
            ]
        )
        client = try registry.require(fields.text("client_id"))
        guard !client.isService else {
            throw .wrong("client_id", "is a Services ID; a device asks for apps")
        }
        let maximumByteCount = AuthorizationRequest.maximumOpaqueByteCount
        nonce = try fields.optionalText("nonce", maximumByteCount: maximumByteCount)
        state = try fields.optionalText("state", maximumByteCount: maximumByteCount)
        scopes = try Self.scopes(fields)
        choice = try PersonChoice(fields, of: account)
        realUserStatus =
            try fields.optionalInteger("real_user_status", in: 0...2)
            .map { RealUserStatus(rawValue: $0) } ?? .likelyReal
    }

    private static func scopes(_ fields: FieldReader) throws(ControlRefusal) -> Set<Scope> {
        let scopes = try fields.texts("scopes").map { Scope($0) }
        for scope in scopes where scope != .name && scope != .email {
            throw .wrong("scopes", "can have name and email, not \"\(scope.rawValue.prefix(64))\"")
        }
        return Set(scopes)
    }
}
