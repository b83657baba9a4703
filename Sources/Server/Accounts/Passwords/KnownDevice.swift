import Foundation
import SignInWithApple

/// A browser in which a user has signed in with the account's password.
///
/// Its wrong passwords are counted apart: guesses of strangers do not block the user. It is valid until the password
/// changes.
///
/// Source: [OWASP, device cookies](https://owasp.org/www-community/Slow_Down_Online_Guessing_Attacks_with_Device_Cookies)
struct KnownDevice: Codable, Sendable {
    private static let numberByteCount = 16
    /// The maximum length of the encrypted string, in bytes.
    private static let maximumByteCount = 512

    /// The random key by which its attempts are counted.
    let number: String
    /// When the password was set, which identifies it.
    let passwordChangedAt: Int64

    init(passwordChangedAt: Date) {
        number = SecureRandom.hexadecimal(byteCount: Self.numberByteCount)
        self.passwordChangedAt = passwordChangedAt.microseconds
    }

    /// Decrypts a browser's device cookie; nil when it is not for this username.
    init?(_ text: String?, of username: Username?, _ sealer: TokenSealer) {
        guard let text, let username, text.utf8.count <= Self.maximumByteCount,
            let content = try? sealer.open(text, for: Self.context(username)),
            let device = try? JSONDecoder().decode(KnownDevice.self, from: content)
        else { return nil }
        self = device
    }

    func sealed(for username: Username, _ sealer: TokenSealer) throws -> String {
        sealer.seal(try JSONEncoder().encode(self), for: Self.context(username))
    }

    private static func context(_ username: Username) -> SealingContext {
        SealingContext(purpose: "known device", parts: [username.text])
    }
}
