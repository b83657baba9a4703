import AppleIdentity

/// How a simulated device differs from one where all is as it should be.
public struct DeviceSwitches: Hashable, Sendable {
    /// What the name of a person who comes back is.
    public enum LaterName: Hashable, Sendable {
        /// Nil.
        case missing
        /// An object with nothing in it.
        case empty
    }

    /// Whom `getCredentialState` believes.
    public enum CredentialStates: Hashable, Sendable {
        /// A device: the emulator's answer.
        case device
        /// A simulator of iOS 13: always `notFound`, with an error.
        case alwaysNotFound
        /// A simulator of iOS 17: always `authorized`.
        case alwaysAuthorized
        /// A simulator since iOS 18: always `revoked`.
        case alwaysRevoked
    }

    /// Whether the account has two-factor authentication; nil leaves it to the account.
    public var hasTwoFactor: Bool?
    /// Whether the camera recognizes nobody, whatever they answer.
    public var refusesFace = false
    /// Whether the app lacks the entitlement for Sign in with Apple.
    public var lacksEntitlement = false
    /// Whether a person can be asked at all.
    public var isInteractive = true
    /// How long the device takes for an answer.
    public var delay = Duration.zero
    /// What the name of a person who comes back is.
    public var laterName = LaterName.missing
    /// Whether a person who comes back is said to have shared nothing.
    public var laterScopesAreEmpty = false
    /// Whom `getCredentialState` believes.
    public var credentialStates = CredentialStates.device
    /// The error when nobody is signed in; some simulators say `canceled`.
    public var noAccountCode = ASAuthorizationError.Code.unknown
    /// The error when Apple ID and password are asked and nothing is there: `canceled` or `unknown`.
    public var nothingStoredCode = ASAuthorizationError.Code.unknown
    /// What an app with the entitlement for child accounts is told.
    public var userAgeRange = ASUserAgeRange.unknown

    /// Makes switches of which none is set.
    public init() {}
}
