import AppleIdentity

/// What of Apple differs from time to time or went wrong for people, each as a switch.
///
/// A switch is a property, whose default is what Apple usually does, and its row in ``fields``:
/// name, values and text. Seeds, states, the control port, the console and docs/reference/emulator.md have
/// it from there.
struct EmulatorSwitches: Hashable {
    enum Discovery: String, CaseIterable {
        case usual
        /// As for some hours in June 2025: issuer and endpoints on `account.apple.com`.
        case moved
    }

    enum KeyOrder: String, CaseIterable { case fixed, changing }

    enum BooleanClaims: String, CaseIterable {
        case boolean
        /// As texts, as until February 2024.
        case text
    }

    enum EmailClaim: String, CaseIterable { case there, missing, empty }

    /// When `is_private_email` is told.
    enum PrivateEmailClaim: String, CaseIterable {
        case whenTrue = "when_true"
        case always
        /// Left out for relay addresses too, as in some tokens of 2024 and 2025.
        ///
        /// Source: [forum 808653](https://developer.apple.com/forums/thread/808653)
        case missing
    }

    enum TokenType: String, CaseIterable {
        case capital = "Bearer"
        case small = "bearer"
    }

    /// How refreshing too often is answered.
    enum ThrottledRefresh: String, CaseIterable {
        case never
        case tooManyRequests = "429"
        case serviceUnavailable = "503"
    }

    enum CodeReuse: String, CaseIterable {
        case refused
        /// Refused, and the tokens of the first time end.
        case revoking
        case accepted
    }

    /// How many refresh tokens of a person and a client are good at a time.
    enum RefreshTokens: String, CaseIterable { case several, one }

    enum Requirement: String, CaseIterable { case optional, required }

    /// Whose word counts where Apple's pages and Apple's answers disagree.
    enum ErrorCodes: String, CaseIterable { case observed, documented }

    enum UnknownParameters: String, CaseIterable { case ignored, refused }

    /// What can be written behind the `@` of an address that hides another.
    enum RelayDomain: String, CaseIterable {
        case privateRelay = "privaterelay.appleid.com"
        /// The domain of new addresses that Apple announced in June 2026.
        case privateICloud = "private.icloud.com"
        case iCloud = "icloud.com"

        /// Whether every address of the domain is a relay address; at `icloud.com` people have mailboxes.
        var isOnlyForRelays: Bool { self != .iCloud }
    }

    /// How many letters and digits the name of a signing key can have; ten since 2022.
    static let keyNameLengths = 6...10

    var issuer: String
    var identityTokenSeconds: Int
    var signingKeyCount: Int
    var discovery = Discovery.usual
    var keyNameLength = keyNameLengths.upperBound
    var keyOrder = KeyOrder.fixed
    var isKeySetEmpty = false
    /// Whether `/auth/keys` has a key of a kind that nobody knows beside those that sign.
    var hasForeignKey = false
    var documentCacheSeconds = SigningKeyRing.cacheSeconds
    var clockSkewSeconds = 0
    var booleanClaims = BooleanClaims.boolean
    var emailClaim = EmailClaim.there
    var managedEmailClaim = EmailClaim.there
    var privateEmailClaim = PrivateEmailClaim.whenTrue
    var relayDomain = RelayDomain.privateRelay
    var isNonceSupported = true
    /// What attackers send to apps that do not look: Apple itself never signs such a token.
    var identityTokenDefect = IdentityTokenDefect.none
    /// What stands for the person's own address in tokens.
    static let ownAddress = "own"
    /// The address in tokens; people can give an address up, and others get it later.
    var emailAddress = ownAddress
    var tokenType = TokenType.capital
    var throttledRefresh = ThrottledRefresh.never
    var refreshesPerDay = 1
    var codeSeconds = Int(AuthorizationCode.lifetimeSeconds)
    var codeReuse = CodeReuse.refused
    var refreshTokens = RefreshTokens.several
    /// Whether an authorization needs a code challenge.
    ///
    /// Source: [RFC 7636](https://www.rfc-editor.org/rfc/rfc7636)
    var pkce = Requirement.optional
    /// Whether the token endpoint refuses clients that don't say which program they are, as in 2019.
    var userAgent = Requirement.optional
    var errorCodes = ErrorCodes.observed
    var describesErrors = true
    var unknownParameters = UnknownParameters.ignored
    var secretSkewSeconds = Int(ClientSecretCheck.maximumClockSkewSeconds)

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
    /// The longest time that a switch can give, in seconds: a year.
    private static let maximumSeconds = 31_536_000
    private static let daySeconds = 86_400

    static let fields: [SwitchField] = [
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
            "how many keys sign tokens"
        ),
        .integer(
            "key_id_length",
            \.keyNameLength,
            in: keyNameLengths,
            scope: .lasting,
            "the length of the `kid` of new keys; 6 or 7 until 2022"
        ),
        .choice("key_order", \.keyOrder, "`changing`: `/auth/keys` has another order each time"),
        .boolean("empty_key_set", \.isKeySetEmpty, "true: `/auth/keys` is `{\"keys\":[]}`"),
        .boolean(
            "foreign_key",
            \.hasForeignKey,
            "true: `/auth/keys` begins with an EC key on a curve that JOSE does not know"
        ),
        .integer(
            "document_cache_seconds",
            \.documentCacheSeconds,
            in: 0...maximumSeconds,
            "`max-age` of `/auth/keys` and discovery"
        ),
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
            "how far the times in tokens are ahead of Apple's clock"
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
            "`always`: `is_private_email` is false for a shared address, not left out;"
                + " `missing`: tokens never have it"
        ),
        .choice(
            "relay_domain",
            \.relayDomain,
            "the domain of new relay addresses; existing ones keep theirs"
        ),
        .boolean("nonce_supported", \.isNonceSupported, "false: tokens say so and have no `nonce`"),
        .choice(
            "identity_token_defect",
            \.identityTokenDefect,
            "makes identity tokens wrong in one way, so that a server shows whether it looks"
        ),
        .text("email_address", \.emailAddress, "the address in tokens; `own` is the person's"),
        .choice("token_type", \.tokenType, "how the token endpoint spells `token_type`"),
        .choice(
            "throttled_refresh",
            \.throttledRefresh,
            "the answer to too many refreshes, with `Retry-After`"
        ),
        .integer(
            "refreshes_per_day",
            \.refreshesPerDay,
            in: 1...1_000,
            "how many refreshes a person and client may make a day"
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
        .choice("pkce", \.pkce, "`required`: an authorization needs a `code_challenge`"),
        .choice(
            "user_agent",
            \.userAgent,
            "`required`: the token endpoint answers `invalid_request` to clients without a"
                + " `User-Agent`, as in 2019; otherwise `GET /requests` has a hint"
        ),
        .choice(
            "error_codes",
            \.errorCodes,
            "`documented`: a wrong redirect address is `unauthorized_client` at authorize and"
                + " `invalid_client` at the token endpoint"
        ),
        .boolean(
            "error_descriptions",
            \.describesErrors,
            "false: errors have no `error_description`"
        ),
        .choice(
            "unknown_parameters",
            \.unknownParameters,
            "`refused`: the token endpoint answers `invalid_request` to parameters it does not know"
        ),
        .integer(
            "secret_skew_seconds",
            \.secretSkewSeconds,
            in: 0...daySeconds,
            "how far in the future a client secret's `iat` may be"
        ),
    ]

    // MARK: Reading and writing

    /// Sets the switches that are there; the others stay.
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
