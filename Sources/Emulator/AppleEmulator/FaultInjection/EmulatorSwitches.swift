import AppleIdentity

/// The switches for behaviour of Apple that varies or was reported as wrong.
///
/// A switch is a property whose default is Apple's usual behaviour, and a row in ``groups`` with
/// name, values and description. Seeds, states, the control API, the console and
/// docs/reference/emulator.md use these rows. The values of a choice are cases with a label.
struct EmulatorSwitches: Hashable {
    /// The possible lengths of a new signing key's `kid`; ten since 2022.
    static let keyNameLengths = 6...10

    var issuer: String
    var identityTokenSeconds: Int
    var signingKeyCount: Int
    var discovery = Discovery.usual
    var keyNameLength = keyNameLengths.upperBound
    var keyOrder = KeyOrder.fixed
    var isKeySetEmpty = false
    /// Whether `/auth/keys` also has a key of an unknown type.
    var hasForeignKey = false
    var documentCacheSeconds = SigningKeyRing.cacheSeconds
    var clockSkewSeconds = 0
    var booleanClaims = BooleanClaims.boolean
    var emailClaim = EmailClaim.there
    var managedEmailClaim = EmailClaim.there
    var privateEmailClaim = PrivateEmailClaim.whenTrue
    var relayDomain = RelayDomain.privateRelay
    var isNonceSupported = true
    /// A defect as in an attacker's token; Apple itself never signs such a token.
    var identityTokenDefect = IdentityTokenDefect.none
    /// The value for the person's own email address in tokens.
    static let ownAddress = "own"
    /// The email address in tokens, to simulate an address that a new owner took over.
    var emailAddress = ownAddress
    var tokenType = TokenType.capital
    var throttledRefresh = ThrottledRefresh.never
    var refreshesPerDay = 1
    var codeSeconds = Int(AuthorizationCode.lifetimeSeconds)
    var codeReuse = CodeReuse.refused
    var refreshTokens = RefreshTokens.several
    /// Whether authorization requests need a code challenge.
    ///
    /// Source: [RFC 7636](https://www.rfc-editor.org/rfc/rfc7636)
    var pkce = Requirement.optional
    /// Whether the token endpoint refuses clients without `User-Agent`, as in 2019.
    var userAgent = Requirement.optional
    var errorCodes = ErrorCodes.observed
    var describesErrors = true
    var unknownParameters = UnknownParameters.ignored
    var secretSkewSeconds = Int(ClientSecretCheck.maximumClockSkewSeconds)
    /// Whether the sign-in page has a button for each person; Apple's page has none.
    var hasPersonButtons = true
    var popupAnswers = true

    init(_ configuration: EmulatorConfiguration) {
        issuer = configuration.issuer
        identityTokenSeconds = configuration.identityTokenSeconds
        signingKeyCount = configuration.signingKeyCount
    }

    func emailClaim(isManaged: Bool) -> EmailClaim {
        isManaged && managedEmailClaim != .there ? managedEmailClaim : emailClaim
    }
}

// MARK: The list

extension EmulatorSwitches {
    /// The maximum time of a switch, in seconds: a year.
    private static let maximumSeconds = 31_536_000
    private static let daySeconds = 86_400

    /// The switches by topic.
    static let groups: [(title: String, fields: [SwitchField])] = [
        ("Discovery and keys", documentFields), ("Identity tokens", identityTokenFields),
        ("Codes and tokens", tokenEndpointFields),
        ("Authorization and errors", authorizationFields),
    ]

    static let fields = groups.flatMap(\.fields)

    private static let documentFields: [SwitchField] = [
        .text("issuer", \.issuer, "`iss` of tokens and notifications, `issuer` of discovery"),
        .choice(
            "discovery",
            \.discovery,
            "`moved`: as in June 2025, discovery on a host `appleid.…` redirects to `account.…` and"
                + " names `https://account.apple.com`; tokens keep their issuer"
        ),
        .integer(
            "signing_key_count",
            \.signingKeyCount,
            in: 1...8,
            scope: .lasting,
            "the number of keys that sign tokens"
        ),
        .integer(
            "key_id_length",
            \.keyNameLength,
            in: keyNameLengths,
            scope: .lasting,
            "the length of the `kid` of new keys; 6 or 7 until 2022"
        ),
        .choice(
            "key_order",
            \.keyOrder,
            "`changing`: `/auth/keys` lists the keys in a different order each time"
        ),
        .boolean(
            "empty_key_set",
            \.isKeySetEmpty,
            on: "The key set is empty",
            off: "The key set has Apple’s keys",
            "true: `/auth/keys` is `{\"keys\":[]}`"
        ),
        .boolean(
            "foreign_key",
            \.hasForeignKey,
            on: "The first key is of an unknown type",
            off: "Every key is of a known type",
            "true: `/auth/keys` begins with an EC key on a curve without a JOSE name"
        ),
        .integer(
            "document_cache_seconds",
            \.documentCacheSeconds,
            in: 0...maximumSeconds,
            "`max-age` of `/auth/keys` and discovery"
        ),
    ]

    private static let identityTokenFields: [SwitchField] = [
        .integer(
            "identity_token_seconds",
            \.identityTokenSeconds,
            in: 1...maximumSeconds,
            "the lifetime of identity tokens; 600 until 2020"
        ),
        .integer(
            "clock_skew_seconds",
            \.clockSkewSeconds,
            in: -daySeconds...daySeconds,
            "the seconds by which times in tokens are ahead of the emulator's clock"
        ),
        .choice(
            "boolean_claims",
            \.booleanClaims,
            "`text`: `email_verified` and `is_private_email` are `\"true\"` and `\"false\"`,"
                + " as until 2024"
        ),
        .choice("email_claim", \.emailClaim, "the `email` of tokens"),
        .choice(
            "managed_email_claim",
            \.managedEmailClaim,
            "the `email` of tokens of managed accounts"
        ),
        .choice(
            "private_email_claim",
            \.privateEmailClaim,
            "`always`: `is_private_email` is false for a shared address instead of missing;"
                + " `missing`: tokens never have it"
        ),
        .choice(
            "relay_domain",
            \.relayDomain,
            "the domain of new relay addresses; existing ones keep theirs"
        ),
        .boolean(
            "nonce_supported",
            \.isNonceSupported,
            on: "Tokens repeat the request’s nonce",
            off: "Tokens have no nonce",
            "false: tokens have `nonce_supported` false and no `nonce`"
        ),
        .choice(
            "identity_token_defect",
            \.identityTokenDefect,
            "a defect in identity tokens, to test whether a server checks for it"
        ),
        .text("email_address", \.emailAddress, "the `email` of tokens; `own` is the user's own"),
    ]

    private static let tokenEndpointFields: [SwitchField] = [
        .choice("token_type", \.tokenType, "the spelling of `token_type` at the token endpoint"),
        .choice(
            "throttled_refresh",
            \.throttledRefresh,
            "the response to too many refreshes, with `Retry-After`"
        ),
        .integer(
            "refreshes_per_day",
            \.refreshesPerDay,
            in: 1...1_000,
            "the number of refreshes per day for a user and a client"
        ),
        .choice(
            "refresh_tokens",
            \.refreshTokens,
            "`one`: a new refresh token revokes the previous one"
        ),
        .integer(
            "code_seconds",
            \.codeSeconds,
            in: 1...daySeconds,
            "the lifetime of authorization codes"
        ),
        .choice(
            "code_reuse",
            \.codeReuse,
            "`revoking`: a code used twice revokes the tokens of its first use"
        ),
        .choice(
            "user_agent",
            \.userAgent,
            "`required`: the token endpoint responds with `invalid_request` to clients without a"
                + " `User-Agent`, as in 2019; otherwise `GET /requests` has a hint"
        ),
        .choice(
            "unknown_parameters",
            \.unknownParameters,
            "`refused`: the token endpoint responds with `invalid_request` to unknown parameters"
        ),
        .integer(
            "secret_skew_seconds",
            \.secretSkewSeconds,
            in: 0...daySeconds,
            "the maximum time in seconds by which a client secret's `iat` and `nbf` may be in the future"
        ),
    ]

    private static let authorizationFields: [SwitchField] = [
        .choice("pkce", \.pkce, "`required`: authorization requests need a `code_challenge`"),
        .choice(
            "error_codes",
            \.errorCodes,
            "`documented`: a wrong redirect URI is `unauthorized_client` at authorize and"
                + " `invalid_client` at the token endpoint"
        ),
        .boolean(
            "error_descriptions",
            \.describesErrors,
            on: "Errors have a description",
            off: "Errors have a code only",
            "false: errors lack `error_description`"
        ),
        .boolean(
            "person_buttons",
            \.hasPersonButtons,
            on: "A button for each person, and the form",
            off: "The form only, as at Apple",
            "true: the sign-in page also has a button for each person, which skips password and"
                + " code; false: only the form, as at Apple"
        ),
        .boolean(
            "popup_answers",
            \.popupAnswers,
            on: "The popup posts its message",
            off: "The popup closes without a message",
            "false: a popup closes without its message"
        ),
    ]

    // MARK: Reading and writing

    /// Changes the given switches.
    mutating func change(_ object: JSONObject, isForRequest: Bool = false) throws(ControlRefusal) {
        let known = Self.fields.filter { !isForRequest || $0.scope == .everywhere }
        let fields = try FieldReader(object, known: known.map(\.name))
        var changed = self
        for field in known { try field.field.read(fields, &changed) }
        self = changed
    }

    var object: JSONObject {
        JSONObject(Self.fields.map { .init(name: $0.name, value: $0.value(self)) })
    }
}
