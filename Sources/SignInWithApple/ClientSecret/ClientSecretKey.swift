import AppleIdentity
import Crypto
import SignedTokens

/// The private key that a developer team made for Sign in with Apple, with the names it goes by.
///
/// Source: [Creating a client secret](https://developer.apple.com/documentation/accountorganizationaldatasharing/creating-a-client-secret)
public struct ClientSecretKey: Sendable {
    /// The longest file looked at, in bytes; Apple's have 257.
    public static let maximumByteCount = 16 * 1024

    /// The key's name at Apple.
    public let keyID: KeyID
    /// The team it belongs to.
    public let teamID: TeamID

    /// Seals what only servers with this key may read again, with a key derived from it.
    package let sealer: TokenSealer

    let signingKey: SigningKey

    /// Reads the file `AuthKey_….p8` that Apple let the team download.
    ///
    /// - Parameters:
    ///   - pem: the file's text.
    ///   - keyID: the key's name at Apple.
    ///   - teamID: the team it belongs to.
    /// - Throws: `client_secret_key_invalid`, the hint saying what the text is instead and what
    ///   helps; it never repeats the text.
    public init(pem: String, keyID: KeyID, teamID: TeamID) throws(SignInError) {
        guard keyID.isWellFormed else {
            throw .unusableKey(
                "the key ID has to be ten capital letters or digits, as in AuthKey_ABC123DEFG.p8"
            )
        }
        guard teamID.isWellFormed else {
            throw .unusableKey(
                "the team ID has to be ten capital letters or digits, as on Apple's membership page"
            )
        }
        self.keyID = keyID
        self.teamID = teamID
        let key = try PrivateKeyFile.read(pem)
        signingKey = SigningKey(key)
        sealer = TokenSealer(derivedFrom: key, name: keyID.rawValue)
    }
}

extension ClientSecretKey: CustomStringConvertible, CustomReflectable {
    /// The names only, so that no log ever shows the key.
    public var description: String { "key \(keyID) of team \(teamID)" }

    /// The names only, so that no dump ever shows the key.
    public var customMirror: Mirror {
        Mirror(self, children: ["keyID": keyID.rawValue, "teamID": teamID.rawValue])
    }
}

extension SignInError {
    static func unusableKey(_ hint: String) -> SignInError {
        SignInError(.clientSecretKeyInvalid, hint: hint)
    }
}
