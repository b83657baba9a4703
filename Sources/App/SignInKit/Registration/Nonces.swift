import AppleIdentity
import Crypto
import Foundation

/// Unguessable nonces, and the hashes of them that Apple receives.
enum Nonces {
    private static let byteCount = 32

    /// Creates one from the system's random numbers.
    static func make() -> String {
        var generator = SystemRandomNumberGenerator()
        return Hexadecimal.encode(
            (0..<byteCount).map { _ in UInt8.random(in: 0...255, using: &generator) }
        )
    }

    /// SHA-256 in hexadecimal: the raw nonce stays with the app and the server.
    static func hash(of nonce: String) -> String {
        Hexadecimal.encode(SHA256.hash(data: Data(nonce.utf8)))
    }
}
