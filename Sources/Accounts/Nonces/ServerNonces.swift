import Crypto
import Foundation
import SignInWithApple
import SignedTokens

/// Issues and verifies nonces that are authenticated by a MAC instead of being stored.
///
/// A client that requests a million nonces costs no disk space. A nonce is 16 random bytes, its expiry time in
/// microseconds, and the first 16 bytes of an HMAC-SHA256 over both (RFC 2104), in base64url. Any of the server's
/// encryption keys verifies it, so keys may change while sign-ins are under way.
struct ServerNonces: Sendable {
    /// The result of verifying a nonce.
    enum Finding: Hashable {
        /// The nonce was not issued here.
        case unknown
        /// The nonce was issued here and has expired.
        case expired
        /// The nonce was issued here and has not expired.
        case valid(expiresAt: Date)
    }

    private static let randomByteCount = 16
    private static let timeByteCount = 8
    private static let codeByteCount = 16
    private static let byteCount = randomByteCount + timeByteCount + codeByteCount

    private let keys: [SymmetricKey]

    init(_ sealer: TokenSealer) {
        keys = sealer.derivedKeys(for: "sign-in-with-apple nonce 1")
    }

    func make(expiresAt: Date) -> String {
        var bytes = SecureRandom.bytes(count: Self.randomByteCount)
        withUnsafeBytes(of: expiresAt.microseconds.bigEndian) { bytes.append(contentsOf: $0) }
        let code = HMAC<SHA256>.authenticationCode(for: bytes, using: keys[0])
        return Base64URL.encode(bytes + code.prefix(Self.codeByteCount))
    }

    func find(_ nonce: String, now: Date) -> Finding {
        guard let bytes = Base64URL.decode(nonce), bytes.count == Self.byteCount else {
            return .unknown
        }
        let content = bytes.prefix(Self.randomByteCount + Self.timeByteCount)
        let code = Data(bytes.suffix(Self.codeByteCount))
        guard keys.contains(where: { Self.isCode(code, of: content, $0) }) else { return .unknown }
        let microseconds = content.suffix(Self.timeByteCount)
            .reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        let expiresAt = Date(microseconds: Int64(bitPattern: microseconds))
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
