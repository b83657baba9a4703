/// Apple's guess whether a real person is at the device; values invented later survive.
///
/// Source: [Authenticating users](https://developer.apple.com/documentation/signinwithapple/authenticating-users-with-sign-in-with-apple)
public struct RealUserStatus: RawRepresentable, Hashable, Sendable, Codable {
    /// The number Apple sent.
    public let rawValue: Int

    /// Makes a status from Apple's number.
    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// The system can't tell.
    public static let unsupported = RealUserStatus(rawValue: 0)
    /// Apple has not decided; such a person must not be blocked.
    public static let unknown = RealUserStatus(rawValue: 1)
    /// Very likely a real person.
    public static let likelyReal = RealUserStatus(rawValue: 2)
}
