import AppleIdentity

/// Settings that make a simulated device behave unusually, for tests of errors.
public struct DeviceSwitches: Hashable, Sendable {
    /// The `fullName` in a later authorization.
    public enum LaterName: Hashable, Sendable {
        /// `fullName` is nil.
        case missing
        /// `fullName` has empty components.
        case empty
    }

    /// The source of the states that `getCredentialState` returns.
    public enum CredentialStates: Hashable, Sendable {
        /// A device: the emulator's response.
        case device
        /// A simulator of iOS 13: always `notFound`, with an error.
        case alwaysNotFound
        /// A simulator of iOS 17: always `authorized`.
        case alwaysAuthorized
        /// A simulator since iOS 18: always `revoked`.
        case alwaysRevoked
    }

    /// Whether the account has two-factor authentication; nil uses the account's setting.
    ///
    /// If it has none, the system shows an alert, and requests fail with `unknown`.
    public var hasTwoFactor: Bool?
    /// Whether Face ID always fails; requests then fail with `failed`.
    public var refusesFace = false
    /// Whether the app lacks the entitlement for Sign in with Apple; requests then fail with `unknown`.
    public var lacksEntitlement = false
    /// Whether user interaction is possible; if not, requests fail with `notInteractive`.
    public var isInteractive = true
    /// The time that a request takes before its sheet is shown.
    public var delay = Duration.zero
    /// The `fullName` in a later authorization.
    public var laterName = LaterName.missing
    /// Whether `authorizedScopes` is empty in a later authorization.
    public var laterScopesAreEmpty = false
    /// The source of the states that `getCredentialState` returns.
    public var credentialStates = CredentialStates.device
    /// The error if no Apple Account is signed in; some simulators return `canceled`.
    public var noAccountCode = ASAuthorizationError.Code.unknown
    /// The error if neither an Apple Account nor a password is available: `canceled` or `unknown`.
    public var nothingStoredCode = ASAuthorizationError.Code.unknown
    /// The age range for an app with the entitlement for child accounts.
    public var userAgeRange = ASUserAgeRange.unknown

    /// Creates the default settings.
    public init() {}
}
