import AppleEmulator
import AppleEmulatorTesting
import AppleIdentity
import SignInWithApple
import Testing

@testable import siwa

/// `siwa users transfer` while Apple returns no result, with a clock that a wait advances.
@Suite("A run about many users")
struct PacedRunTests {
    private static let app: ClientID = "com.example.juice"
    private static let recipient: TeamID = "OTHERTEAM1"

    private struct Report {
        var failures: [PacedFailure]
        /// The users whose identifier Apple returned, each time.
        var kept: [UserID]
        /// The waits of a second or more, in seconds.
        var waits: [Int]
    }

    /// Requests the transfer identifiers of Maya and Noah while Apple has faults.
    private func run(_ faults: [JSONObject]) async throws -> Report {
        var seed = Seed.demo()
        seed.teams.append(SeedTeam(teamID: Self.recipient))
        return try await withAppleEmulator(seed: seed) { apple in
            let maya = try await apple.credentials(for: "maya@example.com")
            let noah = try await apple.credentials(for: "noah@example.com")
            for fault in faults { _ = try await apple.emulator.addFault(fault) }
            let waits = LockedValue<[Int]>([])
            let time = TimeSource(
                now: { apple.time.now },
                uptime: { apple.time.uptime },
                sleep: { duration in
                    if duration >= .seconds(1) {
                        waits.withLock { $0.append(duration.wholeSeconds) }
                    }
                    apple.time.advance(bySeconds: duration / .seconds(1))
                }
            )
            let migration = try apple.signIn(clientIDs: [Self.app], teamID: "JUICETEAM1")
                .migration(of: Self.app)
            let kept = LockedValue<[UserID]>([])
            let failures = try await PacedRun(rate: 20, time: time)
                .ask([maya.user, noah.user]) { users, keep in
                    try await migration.transferIdentifiers(
                        for: users,
                        to: Self.recipient,
                        keep: keep
                    )
                } keep: { user, _, _ in
                    kept.withLock { $0.append(user) }
                }
            return Report(
                failures: failures,
                kept: kept.withLock { $0 },
                waits: waits.withLock { $0 }
            )
        }
    }

    private func fault(
        _ endpoint: String,
        _ status: Int,
        retryAfter: String? = nil,
        count: Int = 1
    ) -> JSONObject {
        var fault: JSONObject = [
            "endpoint": .string(endpoint), "status": .integer(status), "count": .integer(count),
        ]
        if let retryAfter { fault["headers"] = ["Retry-After": .string(retryAfter)] }
        return fault
    }

    @Test(
        "asks again about whom Apple had no answer, no sooner than Apple says",
        arguments: [(429, "60", 60), (503, "90", 90), (503, nil, 2), (429, "1", 2), (500, "x", 2)]
            as [(Int, String?, Int)]
    )
    func again(_ status: Int, _ retryAfter: String?, _ wait: Int) async throws {
        let report = try await run([fault("usermigrationinfo", status, retryAfter: retryAfter)])
        #expect(report.failures.isEmpty)
        #expect(Set(report.kept).count == 2 && report.kept.count == 2)
        #expect(report.waits == [wait])
    }

    @Test(
        "asks again for the access token, no sooner than Apple says",
        arguments: [(429, "60", 60), (503, nil, 2)] as [(Int, String?, Int)]
    )
    func accessToken(_ status: Int, _ retryAfter: String?, _ wait: Int) async throws {
        let report = try await run([fault("token", status, retryAfter: retryAfter)])
        #expect(report.failures.isEmpty && report.kept.count == 2)
        #expect(report.waits == [wait])
    }

    @Test("waits longer each time, and reports the remaining users if Apple stays unavailable")
    func longer() async throws {
        let report = try await run([fault("usermigrationinfo", 503, count: 1_000)])
        #expect(report.waits == [2, 4, 8, 16, 32])
        #expect(report.kept.isEmpty && report.failures.count == 2)
        #expect(report.failures.allSatisfy { $0.reason.hasPrefix("apple_unavailable: ") })
    }

    @Test("does not wait an hour, but reports when Apple allows a retry")
    func tooLong() async throws {
        let report = try await run([fault("usermigrationinfo", 429, retryAfter: "3600", count: 2)])
        #expect(report.waits.isEmpty && report.kept.isEmpty)
        #expect(report.failures.map(\.reason).allSatisfy { $0.hasSuffix("retry in 3600 seconds") })
        await #expect(throws: SignInError(.appleUnavailable, hint: "")) {
            _ = try await run([fault("token", 429, retryAfter: "3600")])
        }
    }
}
