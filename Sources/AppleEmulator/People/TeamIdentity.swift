import AppleIdentity
import Foundation

/// A person as one team knows them.
struct TeamIdentity: Hashable {
    /// Where relay addresses end, unless switched.
    static let relayDomain = EmulatorSwitches.RelayDomain.privateRelay.rawValue

    /// The token's `sub`.
    var userID: UserID
    /// The address that hides the real one.
    var relayAddress: String

    init(userID: UserID, relayAddress: String) {
        self.userID = userID
        self.relayAddress = relayAddress
    }

    init(
        isManaged: Bool,
        relayDomain: EmulatorSwitches.RelayDomain = .privateRelay,
        generator: IdentifierGenerator
    ) {
        var generator = generator
        userID =
            isManaged
            ? Self.managedUserID(&generator) : Self.personalUserID(&generator)
        relayAddress = RandomText.relayName(&generator) + "@" + relayDomain.rawValue
    }

    /// Six digits, a UUID without dashes, and a time of day.
    private static func personalUserID(_ generator: inout IdentifierGenerator) -> UserID {
        let shard = shard(&generator)
        let hexadecimal = RandomText.uuidHexadecimal(&generator)
        let minute = Int.random(in: 0..<24 * 60, using: &generator)
        let clock = [minute / 60, minute % 60].map { ($0 < 10 ? "0" : "") + String($0) }.joined()
        return UserID(shard + "." + hexadecimal + "." + clock)
    }

    /// Apple's example for managed accounts has base64 text in the place of the hexadecimal digits.
    private static func managedUserID(_ generator: inout IdentifierGenerator) -> UserID {
        let shard = shard(&generator)
        let long = RandomText.base64URL(byteCount: 30, &generator)
        return UserID(shard + "." + long + "." + RandomText.base64URL(byteCount: 3, &generator))
    }

    private static func shard(_ generator: inout IdentifierGenerator) -> String {
        "000" + RandomText.number(ofDigits: 3, &generator)
    }
}
