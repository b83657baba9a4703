import Crypto
import Foundation
import SignedTokens

/// Creates and verifies nonces that are authenticated by a MAC instead of being stored.
///
/// A client that requests a million nonces costs no disk space. A nonce is 16 random bytes, its expiry time in
/// microseconds, and the first 16 bytes of an HMAC-SHA256 over both (RFC 2104), in base64url. Any of the server's
/// encryption keys verifies it, so keys may change while sign-ins are under way.
package struct ServerNonces: Sendable {
    /// The result of verifying a nonce.
    package enum Finding: Hashable {
        /// The nonce was not issued here.
        case unknown
        /// The nonce was issued here and has expired.
        case expired
        /// The nonce was issued here and has not expired.
        case valid(expiresAt: Date)
    }

    private static let microsecondsPerSecond = 1_000_000.0
    private static let randomByteCount = 16
    private static let timeByteCount = 8
    private static let codeByteCount = 16
    private static let byteCount = randomByteCount + timeByteCount + codeByteCount

    private let keys: [SymmetricKey]

    package init(_ sealer: TokenSealer) {
        keys = sealer.derivedKeys(for: "sign-in-with-apple nonce 1")
    }

    package func make(expiresAt: Date) -> String {
        let microseconds = expiresAt.timeIntervalSince1970 * Self.microsecondsPerSecond
        var bytes = SecureRandom.bytes(count: Self.randomByteCount)
        withUnsafeBytes(of: Int64(microseconds.rounded()).bigEndian) {
            bytes.append(contentsOf: $0)
        }
        let code = HMAC<SHA256>.authenticationCode(for: bytes, using: keys[0])
        return Base64URL.encode(bytes + code.prefix(Self.codeByteCount))
    }

    package func find(_ nonce: String, now: Date) -> Finding {
        guard let bytes = Base64URL.decode(nonce), bytes.count == Self.byteCount else {
            return .unknown
        }
        let content = bytes.prefix(Self.randomByteCount + Self.timeByteCount)
        let code = Data(bytes.suffix(Self.codeByteCount))
        guard keys.contains(where: { Self.isCode(code, of: content, $0) }) else { return .unknown }
        let microseconds = content.suffix(Self.timeByteCount)
            .reduce(Int64(0)) { $0 << 8 | Int64($1) }
        let expiresAt = Date(
            timeIntervalSince1970: Double(microseconds) / Self.microsecondsPerSecond
        )
        return expiresAt > now ? .valid(expiresAt: expiresAt) : .expired
    }

    /// Compares in constant time, because the duration must not reveal how much of a guess is right.
    private static func isCode(
        _ code: Data,
        of content: some DataProtocol,
        _ key: SymmetricKey
    ) -> Bool {
        let expected = HMAC<SHA256>.authenticationCode(for: content, using: key)
        return zip(expected.prefix(codeByteCount), code).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
