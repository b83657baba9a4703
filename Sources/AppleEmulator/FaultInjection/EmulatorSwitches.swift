/// What of Apple differs from time to time or went wrong for people, each as a switch.
///
/// The values of a new one are Apple's usual ways.
struct EmulatorSwitches: Hashable {
    /// Which host the discovery document speaks of.
    enum Discovery: String, CaseIterable {
        case usual
        /// As for some hours in June 2025: issuer and endpoints on `account.apple.com`.
        case moved
    }

    /// In which order the keys are published.
    enum KeyOrder: String, CaseIterable {
        case fixed, changing
    }

    /// How truth values of tokens are written.
    enum BooleanClaims: String, CaseIterable {
        case boolean
        /// As texts, as until February 2024.
        case text
    }

    /// What becomes of an address in tokens.
    enum EmailClaim: String, CaseIterable {
        case there, missing, empty
    }

    /// When `is_private_email` is told.
    enum PrivateEmailClaim: String, CaseIterable {
        case whenTrue = "when_true"
        case always
    }

    /// How the type of access tokens is spelled.
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

    /// What becomes of a code that is sent again.
    enum CodeReuse: String, CaseIterable {
        case refused
        /// Refused, and the tokens of the first time end.
        case revoking
        case accepted
    }

    /// How many refresh tokens of a person and a client are good at a time.
    enum RefreshTokens: String, CaseIterable {
        case several, one
    }

    /// Whether an authorization needs a code challenge.
    enum ProofKey: String, CaseIterable {
        case optional, required
    }

    /// Whether the token endpoint serves clients that don't say which program they are.
    enum UserAgent: String, CaseIterable {
        case optional
        /// As people met it in 2019.
        case required
    }

    /// Whose word counts where Apple's pages and Apple's answers disagree.
    enum ErrorCodes: String, CaseIterable {
        case observed, documented
    }

    /// What becomes of a token request with parameters that Apple does not know.
    enum UnknownParameters: String, CaseIterable {
        case ignored, refused
    }

    /// What can be written behind the `@` of an address that hides another.
    enum RelayDomain: String, CaseIterable {
        case privateRelay = "privaterelay.appleid.com"
        /// Beside the usual one in Apple's newest text.
        case iCloud = "icloud.com"
    }

    /// How many letters and digits the name of a signing key can have; ten since 2022.
    static let keyNameLengths = 6...10

    var issuer: String
    var identityTokenSeconds: Int
    var signingKeyCount: Int
    var discovery = Discovery.usual
    var keyNameLength = keyNameLengths.upperBound
    var keyOrder = KeyOrder.fixed
    var documentCacheSeconds = SigningKeyRing.cacheSeconds
    var clockSkewSeconds = 0
    var booleanClaims = BooleanClaims.boolean
    var emailClaim = EmailClaim.there
    var managedEmailClaim = EmailClaim.there
    var privateEmailClaim = PrivateEmailClaim.whenTrue
    var relayDomain = RelayDomain.privateRelay
    var isNonceSupported = true
    var tokenType = TokenType.capital
    var throttledRefresh = ThrottledRefresh.never
    var refreshesPerDay = 1
    var codeSeconds = Int(AuthorizationCode.lifetimeSeconds)
    var codeReuse = CodeReuse.refused
    var refreshTokens = RefreshTokens.several
    var proofKey = ProofKey.optional
    var userAgent = UserAgent.optional
    var errorCodes = ErrorCodes.observed
    var describesErrors = true
    var unknownParameters = UnknownParameters.ignored
    var secretSkewSeconds = Int(ClientSecretCheck.maximumClockSkewSeconds)

    init(_ configuration: EmulatorConfiguration) {
        issuer = configuration.issuer
        identityTokenSeconds = configuration.identityTokenSeconds
        signingKeyCount = configuration.signingKeyCount
    }

    /// What becomes of a person's address in tokens.
    func emailClaim(isManaged: Bool) -> EmailClaim {
        isManaged && managedEmailClaim != .there ? managedEmailClaim : emailClaim
    }
}
