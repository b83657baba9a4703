/// The limits of the client; the name of a number has its unit.
enum SignInLimits {
    /// The maximum time of a request to the server.
    static let requestTime: Duration = .seconds(20)
    /// The time after which the app creates its own nonce if the server has not returned one.
    static let nonceTime: Duration = .seconds(5)
    /// The age at which a nonce that was fetched ahead is replaced; the server accepts it for ten minutes.
    static let nonceRenewalTime: Duration = .seconds(8 * 60)
    /// The time for which the launch waits for the device's answer about the user.
    static let deviceTime: Duration = .seconds(1)
    /// The time after which an activation of the app asks the server for the account again.
    static let activationTime: Duration = .seconds(60)
    /// The number of attempts of a repeatable request while the user waits.
    static let attemptCount = 3
    /// The longest wait between two of these.
    static let longestInlineWait: Duration = .seconds(5)
    /// The wait after the first failure; it doubles with each one.
    static let firstWait: Duration = .milliseconds(500)
    /// The longest wait that doubling leads to.
    static let longestWait: Duration = .seconds(300)
    /// The number of attempts at pending work in the background, until the next launch.
    static let followUpCount = 12
    /// The time for which a confirmation is enough while the credential state is unknown.
    static let unconfirmedTime: Duration = .seconds(15 * 60)
    /// The time for which an access token is valid.
    static let accessTokenTime: Duration = .seconds(5 * 60)
    /// The maximum number of stored responses from Apple that the server has not confirmed, one per user.
    static let maximumRegistrationCount = 8
    /// The maximum number of stored sessions that the server must still end.
    static let maximumEndedSessionCount = 16
    /// The maximum number of characters of a name that the server accepts.
    static let maximumNameCharacterCount = 200
    /// The maximum number of bytes of a device's name.
    static let maximumDeviceNameByteCount = 200
}
