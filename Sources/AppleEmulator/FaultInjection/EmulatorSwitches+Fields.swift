import AppleIdentity

extension EmulatorSwitches {
    /// The longest time that a switch can give, in seconds: a year.
    private static let maximumSeconds = 31_536_000
    private static let daySeconds = 86_400

    /// Every switch, in the order in which they are listed.
    static let fields: [SwitchField] = [
        .text("issuer", \.issuer),
        .choice("discovery", \.discovery),
        .integer("signing_key_count", \.signingKeyCount, in: 1...8, scope: .lasting),
        .integer("key_id_length", \.keyNameLength, in: keyNameLengths, scope: .lasting),
        .choice("key_order", \.keyOrder),
        .integer("document_cache_seconds", \.documentCacheSeconds, in: 0...maximumSeconds),
        .integer("identity_token_seconds", \.identityTokenSeconds, in: 1...maximumSeconds),
        .integer("clock_skew_seconds", \.clockSkewSeconds, in: -daySeconds...daySeconds),
        .choice("boolean_claims", \.booleanClaims),
        .choice("email_claim", \.emailClaim),
        .choice("managed_email_claim", \.managedEmailClaim),
        .choice("private_email_claim", \.privateEmailClaim),
        .choice("relay_domain", \.relayDomain),
        .boolean("nonce_supported", \.isNonceSupported),
        .choice("token_type", \.tokenType),
        .choice("throttled_refresh", \.throttledRefresh),
        .integer("refreshes_per_day", \.refreshesPerDay, in: 1...1_000),
        .choice("refresh_tokens", \.refreshTokens),
        .integer("code_seconds", \.codeSeconds, in: 1...daySeconds),
        .choice("code_reuse", \.codeReuse),
        .choice("proof_key", \.proofKey),
        .choice("user_agent", \.userAgent),
        .choice("error_codes", \.errorCodes),
        .boolean("error_descriptions", \.describesErrors),
        .choice("unknown_parameters", \.unknownParameters),
        .integer("secret_skew_seconds", \.secretSkewSeconds, in: 0...daySeconds),
    ]

    /// Sets the switches that are there; the others stay.
    ///
    /// - Parameters:
    ///   - object: names and values.
    ///   - isForRequest: whether they count for one request alone.
    /// - Throws: ``ControlRefusal`` naming the switch that is wrong; nothing has changed then.
    mutating func change(_ object: JSONObject, isForRequest: Bool = false) throws(ControlRefusal) {
        let known = Self.fields.filter { !isForRequest || $0.scope == .everywhere }
        let fields = try FieldReader(object, known: known.map(\.name))
        var changed = self
        for field in known { try field.read(fields, &changed) }
        self = changed
    }

    /// Every switch with its value.
    var object: JSONObject {
        JSONObject(Self.fields.map { .init(name: $0.name, value: $0.value(self)) })
    }
}
