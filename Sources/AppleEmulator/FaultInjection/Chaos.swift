import AppleIdentity
import Foundation

/// Faults at random that a seed decides, so that they can be repeated.
///
/// What happens to a request depends on the seed, on the endpoint, and on how many requests the
/// endpoint had before, so that one endpoint is independent of the others.
struct Chaos {
    /// How many endpoints are counted; others share one count.
    private static let maximumPathCount = 100
    /// Endpoints that servers ask: only there whole answers go wrong.
    private static let serverPaths: Set<String> = [
        ApplePath.token, ApplePath.revoke, ApplePath.keys, ApplePath.discovery,
        ApplePath.userMigrationInformation,
    ]

    let seed: UInt64
    /// How many requests each endpoint had.
    var counts: [String: UInt64] = [:]

    init(seed: UInt64) {
        self.seed = seed
    }

    /// What happens to the next request to a path.
    mutating func turn(path: String) -> ChaosTurn {
        var generator = generator(for: path)
        return ChaosTurn(
            isForServers: Self.serverPaths.contains(path),
            isForTokens: path == ApplePath.token,
            &generator
        )
    }

    /// What happens to the next notification.
    mutating func notification() -> ChaosNotification {
        var generator = generator(for: "notification")
        return ChaosNotification(&generator)
    }

    private mutating func generator(for name: String) -> SeededGenerator {
        let key = counts[name] != nil || counts.count < Self.maximumPathCount ? name : ""
        let count = counts[key, default: 0] &+ 1
        counts[key] = count
        var mixed = SeededGenerator(seed: seed ^ Self.hash(key) &+ count &* 0x9E37_79B9)
        return SeededGenerator(seed: mixed.next())
    }

    /// A hash that is the same in every process.
    ///
    /// Source: [FNV-1a](https://datatracker.ietf.org/doc/html/draft-eastlake-fnv)
    private static func hash(_ text: String) -> UInt64 {
        text.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
    }
}
