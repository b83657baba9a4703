import CryptoExtras
import Foundation
import SignInWithApple
import SignedTokens

/// The parameters of scrypt, which make guessing passwords expensive.
///
/// Source: [RFC 7914, section 2](https://www.rfc-editor.org/rfc/rfc7914#section-2)
package struct PasswordCost: Hashable, Sendable {
    /// The CPU and memory cost N, as a power of two.
    package let logarithmOfRounds: Int
    /// The block size r; one hash needs 128 · N · r bytes of memory.
    package let blockSize: Int
    /// The parallelization p.
    package let parallelism: Int

    /// N 2^14, r 8, p 5: 16 MiB, one of five settings that the source rates as equal.
    ///
    /// Source: [OWASP Password Storage Cheat Sheet](https://cheatsheetseries.owasp.org/cheatsheets/Password_Storage_Cheat_Sheet.html#scrypt)
    package static let standard = PasswordCost(logarithmOfRounds: 14, blockSize: 8, parallelism: 5)

    /// The maximum memory of one hash, in bytes.
    static let maximumMemory = 128 * 1024 * 1024

    /// Whether the cost is within the limits, because a stored hash may have been altered.
    var isBearable: Bool {
        (1...20).contains(logarithmOfRounds) && (1...16).contains(blockSize)
            && (1...16).contains(parallelism)
            && 128 * blockSize << logarithmOfRounds <= Self.maximumMemory
    }
}

/// The cost exceeds the limits of ``PasswordCost``.
struct CostTooHigh: Error {}

/// A hashed password with its parameters and salt: `$scrypt$ln=14,r=8,p=5$salt$hash`.
///
/// Source: [PHC string format](https://github.com/P-H-C/phc-string-format/blob/master/phc-sf-spec.md)
struct PasswordHash: Hashable {
    private static let saltByteCount = 16
    private static let hashByteCount = 32

    let cost: PasswordCost
    private let salt: Data
    private let hash: Data

    /// Hashes a password with a new salt; slow on purpose.
    init(_ password: String, cost: PasswordCost) throws {
        // A hash beyond the limits could not be read again.
        guard cost.isBearable else { throw CostTooHigh() }
        self.cost = cost
        salt = Data(SecureRandom.bytes(count: Self.saltByteCount))
        hash = try Self.derive(password, salt, cost)
    }

    /// A hash of no password, to check against when there is no account, because that must take as long.
    init(ofNoPasswordAt cost: PasswordCost) {
        self.cost = cost
        salt = Data(count: Self.saltByteCount)
        hash = Data(count: Self.hashByteCount)
    }

    /// Reads a stored hash; nil when the string is not a valid one.
    init?(_ text: String) {
        let parts = text.split(separator: "$", omittingEmptySubsequences: false)
        guard parts.count == 5, parts[0].isEmpty, parts[1] == "scrypt",
            let match = parts[2].wholeMatch(of: /ln=([0-9]{1,2}),r=([0-9]{1,2}),p=([0-9]{1,2})/),
            let rounds = Int(match.1), let blockSize = Int(match.2), let parallelism = Int(match.3),
            let salt = Base64URL.decode(String(parts[3])),
            let hash = Base64URL.decode(String(parts[4])),
            salt.count == Self.saltByteCount, hash.count == Self.hashByteCount
        else { return nil }
        cost = PasswordCost(
            logarithmOfRounds: rounds,
            blockSize: blockSize,
            parallelism: parallelism
        )
        guard cost.isBearable else { return nil }
        self.salt = Data(salt)
        self.hash = Data(hash)
    }

    var text: String {
        "$scrypt$ln=\(cost.logarithmOfRounds),r=\(cost.blockSize),p=\(cost.parallelism)"
            + "$\(Base64URL.encode(salt))$\(Base64URL.encode(hash))"
    }

    /// Whether a password is the hashed one; takes as long as hashing.
    func matches(_ password: String) throws -> Bool {
        let derived = try Self.derive(password, salt, cost)
        // Constant time: the duration must not reveal how much of a guess is right.
        return zip(derived, hash).reduce(derived.count ^ hash.count) { $0 | Int($1.0 ^ $1.1) } == 0
    }

    private static func derive(
        _ password: String,
        _ salt: Data,
        _ cost: PasswordCost
    ) throws -> Data {
        try KDF.Scrypt.deriveKey(
            from: Data(password.utf8),
            salt: salt,
            outputByteCount: hashByteCount,
            rounds: 1 << cost.logarithmOfRounds,
            blockSize: cost.blockSize,
            parallelism: cost.parallelism
        )
        .withUnsafeBytes { Data($0) }
    }
}
