import AppleIdentity
import Foundation

/// A person as one team knows them.
struct TeamIdentity: Hashable {
    /// Where every relay address ends.
    static let relayDomain = "privaterelay.appleid.com"

    /// The token's `sub`.
    let userID: UserID
    /// The address that hides the real one.
    let relayAddress: String

    init(isManaged: Bool, at time: Date) {
        userID = isManaged ? Self.managedUserID() : Self.personalUserID(at: time)
        relayAddress = RandomText.relayName() + "@" + Self.relayDomain
    }

    /// Six digits, a UUID without dashes, and the time of day in UTC at which it was made.
    private static func personalUserID(at time: Date) -> UserID {
        let minuteOfDay = Int(time.timeIntervalSince1970 / 60) % (24 * 60)
        let minute = (minuteOfDay + 24 * 60) % (24 * 60)
        let clock = [minute / 60, minute % 60].map { ($0 < 10 ? "0" : "") + String($0) }.joined()
        return UserID("00" + shard() + "." + RandomText.uuidHexadecimal() + "." + clock)
    }

    /// Apple's example for managed accounts has base64 text in the place of the hexadecimal digits.
    private static func managedUserID() -> UserID {
        UserID(
            "00" + shard() + "." + RandomText.base64URL(byteCount: 30) + "."
                + RandomText.base64URL(byteCount: 3)
        )
    }

    private static func shard() -> String {
        "0" + RandomText.number(ofDigits: 3)
    }
}
