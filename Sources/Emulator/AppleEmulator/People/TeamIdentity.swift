import AppleIdentity
import Crypto
import Foundation

/// The identity of a person for one team.
struct TeamIdentity: Hashable {
    /// The default domain of relay addresses.
    static let relayDomain = EmulatorSwitches.RelayDomain.privateRelay.rawValue

    var userID: UserID
    var relayAddress: String
}

extension TeamIdentity {
    init(
        block: String,
        isManaged: Bool,
        relayDomain: EmulatorSwitches.RelayDomain,
        generator: IdentifierGenerator
    ) {
        var generator = generator
        userID =
            isManaged
            ? Self.managedUserID(block, &generator) : Self.personalUserID(block, &generator)
        relayAddress = RandomText.relayName(&generator) + "@" + relayDomain.rawValue
    }

    /// The first six digits of a person's identifiers, the same for every team.
    static func block(_ generator: IdentifierGenerator) -> String {
        var generator = generator
        return "000" + RandomText.number(ofDigits: 3, &generator)
    }

    /// The identifier in a transfer: the person's block, `r`, and a UUID without hyphens.
    static func transferUserID(block: String, _ generator: IdentifierGenerator) -> UserID {
        var generator = generator
        return UserID(block + ".r" + RandomText.uuidHexadecimal(&generator))
    }

    /// The block, a UUID without hyphens, and a time of day.
    private static func personalUserID(
        _ block: String,
        _ generator: inout IdentifierGenerator
    ) -> UserID {
        let hexadecimal = RandomText.uuidHexadecimal(&generator)
        let minute = Int.random(in: 0..<24 * 60, using: &generator)
        let clock = [minute / 60, minute % 60].map { ($0 < 10 ? "0" : "") + String($0) }.joined()
        return UserID(block + "." + hexadecimal + "." + clock)
    }

    /// Apple's example for managed accounts has base64 characters instead of hexadecimal digits.
    private static func managedUserID(
        _ block: String,
        _ generator: inout IdentifierGenerator
    ) -> UserID {
        let long = RandomText.base64URL(byteCount: 30, &generator)
        return UserID(block + "." + long + "." + RandomText.base64URL(byteCount: 3, &generator))
    }
}

/// The source of a person's identifiers: random, or derived from a key.
///
/// With a key a person has the same identifiers in each run, so they match accounts that an app's
/// server still stores.
struct IdentifierGenerator: RandomNumberGenerator {
    private let key: SymmetricKey
    private let label: String
    private var counter = 0

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
