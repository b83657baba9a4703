import AppleIdentity
import SignInWithApple

/// The public name of a session: good for listing and ending it, useless for signing in.
public struct SessionID: TextIdentifier {
    /// The identifier's text.
    public let rawValue: String

    /// Makes the identifier from its text.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }
}

extension SessionID {
    package static func random() -> SessionID {
        SessionID(SecureRandom.hexadecimal(byteCount: 16))
    }
}
