import AppleIdentity
import Foundation
import TestSupport
import Testing

@testable import Accounts
@testable import AppleEmulator

@Suite("Hashing passwords", .timeLimit(.minutes(5))) struct PasswordHasherTests {
    private let cost = PasswordCost(logarithmOfRounds: 2, blockSize: 1, parallelism: 1)

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

    @Test("does the same work for an unknown account: one hash, at the cost of new ones")
    func sameWork() async throws {
        let work = LockedValue<[PasswordCost]>([])
        let hasher = PasswordHasher(cost: cost) { _, cost in work.withLock { $0.append(cost) } }
        let text = try await hasher.turn().hash("correct horse")
        for stored in [nil, "damaged", text] {
            work.withLock { $0 = [] }
            #expect(try await hasher.turn().check("x", against: stored) == .wrong)
            #expect(work.withLock(\.self) == [cost])
        }
    }

    @Test("hashes by half of the cores, and by at least one")
    func cores() async throws {
        let cores = ProcessInfo.processInfo.activeProcessorCount
        let hasher = PasswordHasher(cost: cost)
        var held: [PasswordHasher.Turn] = []
        for _ in 0..<max(1, cores / 2) { held.append(try await hasher.turn()) }
        let another = Task { await hasher.turn(of: .stranger()) != nil }
        try await waitUntil { hasher.waiting.count == 1 }
        held.removeAll()
        #expect(await another.value)
    }

    @Test("has a limited queue, and accepts new passwords when it is done")
    func bounded() async throws {
        let hasher = PasswordHasher(cost: cost)
        await withTaskGroup { group in
            let held = await hold(hasher)
            let excessCount = 60
            for _ in 0..<PasswordQueue.maximumCount + excessCount {
                group.addTask { await hash(by: hasher) }
            }
            // Nobody leaves the line, so exactly the excess is refused.
            for _ in 0..<excessCount { #expect(await group.next() == false) }
            withExtendedLifetime(held) {}
        }
        #expect(await hashAll(PasswordQueue.maximumCount, by: hasher).allSatisfy(\.self))
    }

    @Test("takes the place of a newcomer from the client that has the most")
    func fullOfOne() async throws {
        let hasher = PasswordHasher(cost: cost)
        var held = await hold(hasher)
        try await withThrowingTaskGroup { group in
            for account in 0..<PasswordQueue.maximumCount {
                let flood = PasswordQueue.Client(account: "\(account % 8)", network: "flood")
                group.addTask { (flood, await hasher.turn(of: flood) != nil) }
            }
            try await waitUntil { hasher.waiting.count == PasswordQueue.maximumCount }
            for newcomer in [
                PasswordQueue.Client(account: "maya", network: "home"),
                PasswordQueue.Client(account: "noah", network: "flood"),
            ] {
                group.addTask { (newcomer, await hasher.turn(of: newcomer) != nil) }
                let refused = try #require(try await group.next())
                #expect(refused.0.network == "flood" && refused.0.account != "noah" && !refused.1)
                #expect(hasher.waiting.last == newcomer)
            }
            held.removeAll()
            for try await (_, isNext) in group { #expect(isNext) }
        }
    }

    @Test(
        "serves networks and accounts in turn",
        arguments: [
            // A second request of one network waits behind the first of another.
            (["a1", "b1", "c1", "d2"], [0, 3, 1, 2]),
            // So does one of one account, from any network.
            (["a1", "a2", "a3", "d4"], [0, 3, 1, 2]),
            // The accounts of one network share its turns.
            (["a1", "a1", "a1", "b1", "c2"], [0, 4, 3, 1, 2]),
            (["a1", "a1", "b2", "b2", "c3", "c3", "d4"], [0, 2, 4, 6, 1, 3, 5]),
        ]
    )
    func inTurn(clients: [String], order: [Int]) async throws {
        let hasher = PasswordHasher(cost: cost, concurrentCount: 1)
        let served = LockedValue<[Int]>([])
        var held = [try await hasher.turn()]
        await withTaskGroup { group in
            for (number, name) in clients.enumerated() {
                let client = PasswordQueue.Client(
                    account: String(name.prefix(1)),
                    network: String(name.suffix(1))
                )
                group.addTask {
                    let turn = await hasher.turn(of: client)
                    served.withLock { $0.append(number) }
                    withExtendedLifetime(turn) {}
                }
                await #expect(throws: Never.self) {
                    try await waitUntil { hasher.waiting.count == number + 1 }
                }
            }
            held.removeAll()
        }
        #expect(served.withLock(\.self) == order)
    }

    @Test("keeps the turn of a second request when other clients come back")
    func cameBack() async throws {
        let hasher = PasswordHasher(cost: cost, concurrentCount: 1)
        let served = LockedValue<[String]>([])
        var held = [try await hasher.turn()]
        await withTaskGroup { group in
            for (number, name) in ["maya", "maya", "a", "b"].enumerated() {
                group.addTask {
                    for _ in 0..<(name == "maya" ? 1 : 20) {
                        let client = PasswordQueue.Client(account: name, network: name)
                        let turn = await hasher.turn(of: client)
                        served.withLock { $0.append(name) }
                        withExtendedLifetime(turn) {}
                    }
                }
                await #expect(throws: Never.self) {
                    try await waitUntil { hasher.waiting.count == number + 1 }
                }
            }
            held.removeAll()
        }
        #expect(served.withLock { $0.prefix(4) } == ["maya", "a", "b", "maya"])
    }

    @Test("frees the place of a caller who no longer waits")
    func cancelled() async throws {
        let hasher = PasswordHasher(cost: cost)
        var held = await hold(hasher)
        let tasks = (0..<PasswordQueue.maximumCount).map { _ in
            Task { await hasher.turn(of: .stranger()) != nil }
        }
        try await waitUntil { hasher.waiting.count == PasswordQueue.maximumCount }
        for task in tasks { task.cancel() }
        for task in tasks { #expect(await task.value == false) }
        #expect(hasher.waiting.isEmpty)
        held.removeAll()
        #expect(await hashAll(PasswordQueue.maximumCount, by: hasher).allSatisfy(\.self))
    }

    @Test(
        "returns one result to each caller and frees all places, even after cancellations",
        arguments: 1...12 as ClosedRange<UInt64>
    )
    func cancelledInAnyOrder(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        // Not so cheap that nobody would have to wait.
        let cost = PasswordCost(logarithmOfRounds: 8, blockSize: 8, parallelism: 1)
        let hasher = PasswordHasher(cost: cost)
        let text = try await hasher.turn().hash("correct horse")
        let tasks = (0..<PasswordQueue.maximumCount).map { number in
            Task { () async throws -> Bool? in
                guard let turn = await hasher.turn(of: .stranger()) else { return nil }
                guard number.isMultiple(of: 2) else {
                    return try await turn.check("correct horse", against: text) == .right
                }
                return try await turn.hash("").hasPrefix("$scrypt$")
            }
        }
        for task in tasks.shuffled(using: &random) {
            // Meanwhile some of the others begin, and some end.
            for _ in 0..<Int.random(in: 0..<30, using: &random) { await Task.yield() }
            if Bool.random(using: &random) { task.cancel() }
        }
        for task in tasks { #expect(try await task.value ?? task.isCancelled) }
        #expect(await hashAll(PasswordQueue.maximumCount, by: hasher).allSatisfy(\.self))
    }

    @Test("may be released while its last result is being returned")
    func dropped() async throws {
        try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<400 { group.addTask { try await hashOnce() } }
            for try await text in group { #expect(text.hasPrefix("$scrypt$")) }
        }
    }

    private func hashOnce() async throws -> String {
        try await PasswordHasher(cost: cost).turn().hash("correct horse")
    }

    /// Takes all turns there are at once.
    private func hold(_ hasher: PasswordHasher) async -> [PasswordHasher.Turn] {
        var held: [PasswordHasher.Turn] = []
        for _ in 0..<hasher.concurrentCount {
            if let turn = await hasher.turn(of: .stranger()) { held.append(turn) }
        }
        return held
    }

    private func hashAll(_ count: Int, by hasher: PasswordHasher) async -> [Bool] {
        await withTaskGroup { group in
            for _ in 0..<count { group.addTask { await hash(by: hasher) } }
            return await group.reduce(into: []) { $0.append($1) }
        }
    }

    /// Whether a password was hashed.
    private func hash(by hasher: PasswordHasher) async -> Bool {
        let turn = await hasher.turn(of: .stranger())
        return (try? await turn?.hash("correct horse")) != nil
    }
}

extension PasswordQueue.Client {
    init(account: String, network: String) {
        self.init(account: account, network: network, widerNetwork: network)
    }

    /// A client that is no other.
    static func stranger() -> Self {
        Self(account: UUID().uuidString, network: UUID().uuidString)
    }
}

extension PasswordHasher {
    /// A turn of a client that is no other.
    func turn() async throws -> Turn { try #require(await turn(of: .stranger())) }
}
