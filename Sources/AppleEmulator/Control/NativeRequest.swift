import AppleIdentity

/// What an app on a device asks for, and what the person there chooses.
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
    /// Apple's guess about the person, told at the first sign-in.
    var realUserStatus: RealUserStatus { RealUserStatus(rawValue: statusNumber) }
}

extension ValueForm<[String]> {
    fileprivate static let scopes = texts.checked("can have name and email, nothing else") {
        Set($0).isSubset(of: [Scope.name.rawValue, Scope.email.rawValue])
    }
}

extension ValueForm<String> {
    fileprivate static let opaque = text(
        maximumByteCount: AuthorizationRequest.maximumOpaqueByteCount
    )
}
