import Crypto
import Foundation

/// Where a person's identifiers come from: chance, or a key.
///
/// With a key the same person gets the same identifiers at each start, so that accounts that
/// outlive the emulator still fit.
struct IdentifierGenerator: RandomNumberGenerator {
    private let key: SymmetricKey
    private let label: String
    private var counter = 0

    /// Makes a generator for one person and one team.
    ///
    /// - Parameters:
    ///   - key: decides the identifiers; a random one when nil.
    ///   - label: names the person and the team.
    init(key: Data?, label: String) {
        self.key = key.map { SymmetricKey(data: $0) } ?? SymmetricKey(size: .bits256)
        self.label = label
    }

    mutating func next() -> UInt64 {
        counter += 1
        let input = Data("\(counter)|\(label)".utf8)
        let code = HMAC<SHA256>.authenticationCode(for: input, using: key)
        return code.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }
}
