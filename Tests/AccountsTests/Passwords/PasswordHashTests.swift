import Foundation
import Testing

@testable import Accounts

@Suite("A hashed password")
struct PasswordHashTests {
    private static let password = "correct horse \u{E9}"
    /// What hashlib.scrypt of Python makes of it.
    private static let known =
        "$scrypt$ln=4,r=8,p=2$AAECAwQFBgcICQoLDA0ODw$-mr9f_fJxLiwj4YQGgWqoPVvicSMCg7LAKep0sbHRkM"
    private let cost = PasswordCost(logarithmOfRounds: 4, blockSize: 8, parallelism: 2)

    @Test("is the one that another implementation makes")
    func knownAnswer() throws {
        let hash = try #require(PasswordHash(Self.known))
        #expect(hash.cost == cost)
        #expect(hash.text == Self.known)
        #expect(try hash.matches(Self.password))
        for other in [
            "correct horse e", "Correct horse é", "correct horse \u{E9} ", "",
            "correct horse e\u{301}",
        ] {
            #expect(try !hash.matches(other))
        }
    }

    @Test("has a salt of its own, and is read back from its text")
    func salts() throws {
        let texts = try (0..<20).map { _ in try PasswordHash(Self.password, cost: cost).text }
        #expect(Set(texts).count == 20)
        for text in texts { #expect(try PasswordHash(text)?.matches(Self.password) == true) }
    }

    @Test("compares every byte of a long password")
    func long() throws {
        let long = String(repeating: "x", count: 127)
        let hash = try PasswordHash(long + "y", cost: cost)
        #expect(try hash.matches(long + "y"))
        #expect(try !hash.matches(long + "z"))
        #expect(try !hash.matches(long))
    }

    @Test(
        "is nothing when its text is damaged, or more than a check may cost",
        arguments: [
            ("$scrypt$", "$argon2$"), ("$scrypt$", "scrypt$"), ("ln=4", "ln=0"), ("ln=4", "ln=21"),
            ("ln=4", "ln=-4"), ("ln=4", "ln=4 "), ("ln=4,r=8,p=2", "r=8,ln=4,p=2"), ("r=8", "r=17"),
            ("r=8", "r=0"), ("p=2", "p=17"), ("p=2", "p=0"), ("ln=4,r=8", "ln=20,r=8"),
            ("ln=4,r=8", "ln=17,r=9"), ("ln=4", "ln=99999999999999999999"), ("ODw$", "ODw"),
            ("ODw$", "OD$"), ("ODw$", "OD!$"), ("HRkM", "HRk"), ("HRkM", "HRkM$"),
            ("HRkM", "HRkMAAAA"),
            ("HRkM", "HRkM="), (known, ""), (known, "$$$$"),
        ]
    )
    func damaged(_ part: String, _ damage: String) throws {
        let text = Self.known.replacing(part, with: damage)
        try #require(text != Self.known)
        #expect(PasswordHash(text) == nil)
    }

    @Test("is not made at a cost that could not be read again")
    func unbearable() throws {
        for (rounds, blockSize, parallelism) in [
            (0, 8, 1), (21, 1, 1), (18, 8, 1), (4, 0, 1), (4, 8, 17), (-1, 8, 1),
        ] {
            let cost = PasswordCost(
                logarithmOfRounds: rounds,
                blockSize: blockSize,
                parallelism: parallelism
            )
            #expect(throws: UnbearableCost.self) { try PasswordHash(Self.password, cost: cost) }
        }
        #expect(PasswordCost.standard.isBearable)
    }
}

@Suite("Hashing passwords", .timeLimit(.minutes(1)))
struct PasswordHasherTests {
    private let cost = PasswordCost(logarithmOfRounds: 2, blockSize: 1, parallelism: 1)
    /// One that takes long enough that the first callers are not done before the last has asked.
    private let slow = PasswordCost(logarithmOfRounds: 13, blockSize: 8, parallelism: 1)

    @Test("finds the right one right, also at another cost, and all else wrong")
    func findings() async throws {
        let hasher = PasswordHasher(cost: cost)
        let text = try await hasher.hash("correct horse")
        #expect(try await hasher.check("correct horse", against: text) == .right)
        #expect(try await hasher.check("correct house", against: text) == .wrong)
        let dearer = PasswordHasher(
            cost: PasswordCost(logarithmOfRounds: 3, blockSize: 1, parallelism: 1)
        )
        #expect(try await dearer.check("correct horse", against: text) == .rightAtAnotherCost)
        #expect(try await dearer.check("correct house", against: text) == .wrong)
        for damaged in [nil, "", "correct horse", text.replacing("$scrypt$", with: "$plain$")] {
            #expect(try await hasher.check("correct horse", against: damaged) == .wrong)
        }
    }

    @Test("of nobody's password is as much work as of somebody's")
    func sameWork() async throws {
        let hasher = PasswordHasher(cost: slow)
        let text = try await hasher.hash("correct horse")
        var unknown: [Duration] = []
        var wrong: [Duration] = []
        let clock = ContinuousClock()
        for _ in 0..<9 {
            unknown.append(
                try await clock.measure { _ = try await hasher.check("x", against: nil) }
            )
            wrong.append(try await clock.measure { _ = try await hasher.check("x", against: text) })
        }
        // The median of each, so that one interruption decides nothing.
        let ratio = unknown.sorted()[4] / wrong.sorted()[4]
        #expect((0.3...3).contains(ratio))
    }

    @Test("has a waiting line that ends, and takes new ones when it is done")
    func bounded() async throws {
        let hasher = PasswordHasher(cost: slow)
        let limit = PasswordHasher.maximumConcurrentCount + PasswordHasher.maximumWaitingCount
        let results = await hashAll(limit + 60, by: hasher)
        let refused = results.compactMap { $0 }
        #expect(refused.allSatisfy { $0 == .passwordBusy })
        #expect(!refused.isEmpty && results.count - refused.count >= limit)
        #expect(await hashAll(limit, by: hasher).allSatisfy { $0 == nil })
    }

    @Test("gives every place back, also when nobody waits for the result any more")
    func cancelled() async throws {
        let hasher = PasswordHasher(cost: cost)
        let limit = PasswordHasher.maximumConcurrentCount + PasswordHasher.maximumWaitingCount
        for _ in 0..<3 {
            let tasks = (0..<limit).map { _ in Task { try await hasher.hash("correct horse") } }
            for task in tasks { task.cancel() }
            for task in tasks { _ = await task.result }
        }
        #expect(await hashAll(limit, by: hasher).allSatisfy { $0 == nil })
    }

    private func hashAll(
        _ count: Int,
        by hasher: PasswordHasher
    ) async -> [AccountsError.Code?] {
        await withTaskGroup { group in
            for _ in 0..<count {
                group.addTask { () async -> AccountsError.Code? in
                    do throws(AccountsError) {
                        _ = try await hasher.hash("correct horse")
                        return nil
                    } catch {
                        return error.code
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
    }
}
