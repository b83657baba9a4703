import Foundation
import SignInWithApple

/// A browser in which somebody has signed in with an account's password.
///
/// Its wrong guesses are counted apart, so that strangers who guess keep its person from nothing. Another password ends it.
///
/// Source: [OWASP, device cookies](https://owasp.org/www-community/Slow_Down_Online_Guessing_Attacks_with_Device_Cookies)
struct KnownDevice: Codable, Sendable {
    private static let numberByteCount = 16
    /// Bytes of a sealed text that is looked at.
    private static let maximumByteCount = 512

    /// What its guesses are counted by: random.
    let number: String
    /// The password that was right, by when it was set.
    let passwordChangedAt: Int64

    init(passwordChangedAt: Date) {
        number = SecureRandom.hexadecimal(byteCount: Self.numberByteCount)
        self.passwordChangedAt = passwordChangedAt.microseconds
    }

    /// Opens what a browser has kept; nil when it is not for this name.
    init?(_ text: String?, of username: Username?, _ sealer: TokenSealer) {
        guard let text, let username, text.utf8.count <= Self.maximumByteCount,
            let content = try? sealer.open(text, for: Self.context(username)),
            let device = try? JSONDecoder().decode(KnownDevice.self, from: content)
        else { return nil }
        self = device
    }

    func sealed(for username: Username, _ sealer: TokenSealer) throws -> String {
        try sealer.seal(try JSONEncoder().encode(self), for: Self.context(username))
    }

    private static func context(_ username: Username) -> SealingContext {
        SealingContext(purpose: "known device", parts: [username.text])
    }
}
