import AppleIdentity
import SignInWithApple

/// The name of an account: random, never reused, never shown to Apple.
public struct AccountID: TextIdentifier {
    /// The identifier's text.
    public let rawValue: String

    /// Makes the identifier from its text.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }
}

extension AccountID {
    package static func random() -> AccountID {
        AccountID(SecureRandom.hexadecimal(byteCount: 16))
    }
}
