import Testing

@testable import Accounts
@testable import AppleEmulator

@Suite("Hashing passwords", .timeLimit(.minutes(5))) struct PasswordHasherTests {
    private let cost = PasswordCost(logarithmOfRounds: 2, blockSize: 1, parallelism: 1)
    /// One that takes long enough that the first callers are not done before the last has asked.
    private let slow = PasswordCost(logarithmOfRounds: 13, blockSize: 8, parallelism: 1)

    @Test("accepts the right password, even at another cost, and refuses any other")
    func findings() async throws {
        let hasher = PasswordHasher(cost: cost)
        let text = try await hasher.turn().hash("correct horse")
        #expect(try await hasher.turn().check("correct horse", against: text) == .right)
        #expect(try await hasher.turn().check("correct house", against: text) == .wrong)
        let dearer = PasswordHasher(
            cost: PasswordCost(logarithmOfRounds: 3, blockSize: 1, parallelism: 1)
        )
        #expect(
            try await dearer.turn().check("correct horse", against: text) == .rightAtAnotherCost
        )
        #expect(try await dearer.turn().check("correct house", against: text) == .wrong)
        for damaged in [nil, "", "correct horse", text.replacing("$scrypt$", with: "$plain$")] {
            #expect(try await hasher.turn().check("correct horse", against: damaged) == .wrong)
        }
    }

    @Test("does the same work for an unknown account")
    func sameWork() async throws {
        let hasher = PasswordHasher(cost: slow)
        let text = try await hasher.turn().hash("correct horse")
        var unknown: [Duration] = []
        var wrong: [Duration] = []
        let clock = ContinuousClock()
        for _ in 0..<9 {
            unknown.append(
                try await clock.measure { _ = try await hasher.turn().check("x", against: nil) }
            )
            wrong.append(
                try await clock.measure { _ = try await hasher.turn().check("x", against: text) }
            )
        }
        // The median of each, so that one interruption decides nothing.
        let ratio = unknown.sorted()[4] / wrong.sorted()[4]
        #expect((0.3...3).contains(ratio))
    }

    @Test("has a limited queue, and accepts new passwords when it is done")
    func bounded() async throws {
        let hasher = PasswordHasher(cost: cost)
        var running: [PasswordHasher.Turn] = []
        for _ in 0..<PasswordHasher.maximumConcurrentCount {
            running.append(try await hasher.turn())
        }
        await withTaskGroup { group in
            let excessCount = 60
            for _ in 0..<PasswordHasher.maximumWaitingCount + excessCount {
                group.addTask { await hash(by: hasher) }
            }
            // Nobody leaves the line, so exactly the excess is refused.
            for _ in 0..<excessCount { #expect(await group.next() == .passwordBusy) }
            running.removeAll()
            #expect(await group.allSatisfy { $0 == nil })
        }
        let limit = PasswordHasher.maximumConcurrentCount + PasswordHasher.maximumWaitingCount
        #expect(await hashAll(limit, by: hasher).allSatisfy { $0 == nil })
    }

    @Test("leaves places to others when one account or network has its maximum")
    func ofOne() async throws {
        let hasher = PasswordHasher(cost: cost)
        let (one, other) = (SecretHash(of: "one"), SecretHash(of: "other"))
        var held = [try await hasher.turn(of: [one]), try await hasher.turn(of: [one])]
        await withTaskGroup { group in
            for _ in 0...(PasswordHasher.maximumCountOfOne - held.count) {
                group.addTask { (try? await hasher.turn(of: [one])) != nil }
            }
            #expect(await group.next() == false, "one more than it may have")
            group.addTask { (try? await hasher.turn(of: [other])) != nil }
            held.removeAll()
            #expect(await group.allSatisfy(\.self))
        }
    }

    @Test("frees every place, even if the caller no longer waits for the result")
    func cancelled() async throws {
        let hasher = PasswordHasher(cost: cost)
        let limit = PasswordHasher.maximumConcurrentCount + PasswordHasher.maximumWaitingCount
        for _ in 0..<3 {
            let tasks = (0..<limit).map { _ in
                Task { try await hasher.turn().hash("correct horse") }
            }
            for task in tasks { task.cancel() }
            for task in tasks { _ = await task.result }
        }
        #expect(await hashAll(limit, by: hasher).allSatisfy { $0 == nil })
    }

    @Test(
        "returns one result to each caller and frees all places, even after cancellations",
        arguments: 1...12 as ClosedRange<UInt64>
    )
    func cancelledInAnyOrder(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let limit = PasswordHasher.maximumConcurrentCount + PasswordHasher.maximumWaitingCount
        // Not so cheap that nobody would have to wait.
        let cost = PasswordCost(logarithmOfRounds: 8, blockSize: 8, parallelism: 1)
        let hasher = PasswordHasher(cost: cost)
        let text = try await hasher.turn().hash("correct horse")
        let tasks = (0..<limit).map { number in
            Task {
                guard number.isMultiple(of: 2) else {
                    return try await hasher.turn().check("correct horse", against: text) == .right
                }
                return try await hasher.turn().hash("").hasPrefix("$scrypt$")
            }
        }
        for task in tasks.shuffled(using: &random) {
            // Meanwhile some of the others begin, and some end.
            for _ in 0..<Int.random(in: 0..<30, using: &random) { await Task.yield() }
            if Bool.random(using: &random) { task.cancel() }
        }
        for task in tasks { #expect(try await task.value) }
        #expect(await hashAll(limit, by: hasher).allSatisfy { $0 == nil })
    }

    @Test("may be released while its last result is being returned")
    func dropped() async throws {
        try await withThrowingTaskGroup(of: String.self) { group in
            for number in 0..<400 {
                group.addTask { try await hashOnce(isCancelled: number.isMultiple(of: 3)) }
            }
            for try await text in group { #expect(text.hasPrefix("$scrypt$")) }
        }
    }

    private func hashOnce(isCancelled: Bool) async throws -> String {
        let hasher = PasswordHasher(cost: cost)
        let task = Task { try await hasher.turn().hash("correct horse") }
        if isCancelled { task.cancel() }
        return try await task.value
    }

    private func hashAll(_ count: Int, by hasher: PasswordHasher) async -> [AccountsError.Code?] {
        await withTaskGroup { group in
            for _ in 0..<count { group.addTask { await hash(by: hasher) } }
            return await group.reduce(into: []) { $0.append($1) }
        }
    }

    private func hash(by hasher: PasswordHasher) async -> AccountsError.Code? {
        do throws(AccountsError) {
            _ = try await hasher.turn().hash("correct horse")
            return nil
        } catch {
            return error.code
        }
    }
}
