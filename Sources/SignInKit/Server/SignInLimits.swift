/// How much and how long, with the unit in the name where it is a number.
enum SignInLimits {
    /// How long a request to the server may take.
    static let requestTime: Duration = .seconds(20)
    /// How long the server may take for a nonce, before the app makes its own.
    static let nonceTime: Duration = .seconds(5)
    /// How often a repeatable request is sent while the user waits.
    static let attemptCount = 3
    /// The longest wait between two of these.
    static let longestInlineWait: Duration = .seconds(5)
    /// The wait after the first failure; it doubles with each one.
    static let firstWait: Duration = .milliseconds(500)
    /// The longest wait that doubling leads to.
    static let longestWait: Duration = .seconds(300)
    /// How often what is still to be done is tried in the background, until the next launch.
    static let followUpCount = 12
    /// How long a user counts as confirmed while the credential state is unknown.
    static let unconfirmedTime: Duration = .seconds(15 * 60)
    /// Apple's responses that are kept until the server has them, one a user.
    static let maximumRegistrationCount = 8
    /// How many sessions that the server must still end are kept.
    static let maximumEndedSessionCount = 16
    /// Characters of a name that the server takes.
    static let maximumNameCharacterCount = 200
    /// Bytes of the name of a device.
    static let maximumDeviceNameByteCount = 200
}
