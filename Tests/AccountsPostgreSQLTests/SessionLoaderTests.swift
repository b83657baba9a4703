import AccountStoreConformance
import Accounts
import AppleIdentity
import ServerTestSupport
import TestSupport
import Testing

@testable import AccountsPostgreSQL

@Suite("Sessions that share a statement", .timeLimit(.minutes(1)))
struct SessionLoaderTests {
    @Test("are found for each who asked while one was under way, and unknown ones are not")
    func shared() async throws {
        try await TestCluster.withBusyStore { store, connection, _ in
            await store.postgreSQL.pool.giveBack(connection)
            var samples: [SampleSignIn] = []
            for number in 0..<5 {
                var sample = SampleSignIn()
                sample.user = UserID("person.\(number)")
                sample.newAccountID = .make(at: SampleSignIn.start, .random)
                try await store.signIn(sample)
                samples.append(sample)
            }
            let lent = try await store.postgreSQL.pool.lend()
            let first = find(SampleSignIn(), store)
            try await waitUntil { store.postgreSQL.pool.waiterCount == 1 }
            let tasks = (samples + samples).map { find($0, store) } + [find(SampleSignIn(), store)]
            try await waitUntil { store.load.waitingReadCount == tasks.count }
            await store.postgreSQL.pool.giveBack(lent)
            #expect(try await first.value == nil)
            for (sample, task) in zip(samples + samples, tasks) {
                #expect(try await task.value?.session.id == sample.session)
            }
            #expect(try await tasks.last?.value == nil)
            #expect(store.load.waitingReadCount == 0)
        }
    }

    @Test("are more than one statement looks up")
    func many() async throws {
        try await TestCluster.withBusyStore { store, connection, _ in
            let first = find(SampleSignIn(), store)
            try await waitUntil { store.postgreSQL.pool.waiterCount == 1 }
            let count = SessionLoader.maximumBatchCount * 2 + 1
            let tasks = (0..<count).map { _ in find(SampleSignIn(), store) }
            try await waitUntil { store.load.waitingReadCount == count }
            await store.postgreSQL.pool.giveBack(connection)
            #expect(try await first.value == nil)
            for task in tasks { #expect(try await task.value == nil) }
        }
    }

    @Test("fail together when there is no connection, and are looked up later")
    func unavailable() async throws {
        try await TestCluster.withBusyStore { store, connection, time in
            let first = find(SampleSignIn(), store)
            try await waitUntil { store.postgreSQL.pool.waiterCount == 1 }
            let second = find(SampleSignIn(), store)
            try await waitUntil { store.load.waitingReadCount == 1 }
            time.advance(bySeconds: ConnectionPool.maximumWait / .seconds(1))
            for task in [first, second] {
                let error = await expectFailure(.unavailable) { try await task.value }
                #expect(error?.hint == "all 1 connections are in use")
            }
            await store.postgreSQL.pool.giveBack(connection)
            #expect(try await find(SampleSignIn(), store).value == nil)
        }
    }

    @Test("are refused when too many wait")
    func limited() async throws {
        try await TestCluster.withBusyStore { store, connection, _ in
            let first = find(SampleSignIn(), store)
            try await waitUntil { store.postgreSQL.pool.waiterCount == 1 }
            let count = SessionLoader.maximumWaitingCount
            let tasks = (0..<count).map { _ in find(SampleSignIn(), store) }
            try await waitUntil { store.load.waitingReadCount == count }
            let error = await expectFailure(.unavailable) {
                try await find(SampleSignIn(), store).value
            }
            #expect(error?.hint == "PostgreSQL: too many sessions are being looked up")
            await store.postgreSQL.pool.giveBack(connection)
            _ = try await first.value
            for task in tasks { _ = try await task.value }
        }
    }

    private func find(
        _ sample: SampleSignIn,
        _ store: AccountStore
    ) -> Task<SignedInSession?, any Error> {
        let hash = sample.token.hash
        return Task { try await store.session(tokenHash: hash, now: SampleSignIn.start) }
    }
}

extension StoreLoad {
    fileprivate var waitingReadCount: Int? {
        if case .pool(let load) = self { load.waitingReadCount } else { nil }
    }
}
