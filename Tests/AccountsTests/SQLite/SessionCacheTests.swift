import AccountStoreConformance
import AppleIdentity
import Foundation
import GRDB
import ServerTestSupport
import TestSupport
import Testing

@testable import Accounts
@testable import AccountsSQLite

@Suite("Sessions in memory", TemporaryFolder.lending) struct SessionCacheTests {
    private let folder: URL
    init() throws { folder = try TemporaryFolder.lending.value }

    @Test(
        "equal those in the file after any order of changes",
        arguments: [1, 2, 3] as [UInt64]
    )
    func randomChanges(seed: UInt64) async throws {
        let store = try AccountStore(
            SQLiteDatabase(
                path: folder.databasePath,
                busyTimeout: 2,
                maximumCachedSessionCount: 12
            )
        )
        var chance = SeededNumbers(seed: seed)
        var samples: [SampleSignIn] = []
        for _ in 0..<400 {
            try await change(store, &samples, &chance)
            guard let sample = samples.randomElement(using: &chance) else { continue }
            try await expectExact(sample, in: store)
        }
        for sample in samples { try await expectExact(sample, in: store) }
        #expect(store.sqlite.cache.count <= 12)
        try store.close()
    }

    @Test("found during a change are not cached")
    func lateReader() {
        let (found, hash) = session()
        let (use, id) = (SampleSignIn.start.addingTimeInterval(60), found.account.id)
        let changes: [StoreWrite] = [
            .removeSession(found.session.id), .removeSessions(of: id, except: nil),
            .removeAccount(id), .updateAccount(found.account),
            .recordUse(SessionUse(session: found.session.id, lastUsedAt: use, expiresAt: use)),
        ]
        for change in changes {
            let cache = SessionCache(maximumCount: 10)
            let generation = cache.generation
            cache.apply([change])
            cache.fill(hash, found, generation: generation)
            #expect(cache.count == 0, "it would be in memory as it was before \(change)")
        }
    }

    @Test("of one sign-in method end without the others")
    func methods() {
        let cache = SessionCache(maximumCount: 10)
        let (found, hash) = session()
        cache.fill(hash, found, generation: cache.generation)
        let account = found.account.id
        cache.apply([.removeSessions(of: account, except: nil, openedBy: .apple)])
        #expect(cache.count == 1)
        cache.apply([.removeSessions(of: account, except: nil, openedBy: .password)])
        #expect(cache.count == 0)
    }

    @Test("that two readers found evict no others")
    func foundTwice() {
        let cache = SessionCache(maximumCount: 8)
        for _ in 0..<8 {
            let (found, hash) = session()
            for _ in 0..<2 { cache.fill(hash, found, generation: cache.generation) }
        }
        #expect(cache.count == 8)
    }

    @Test("are read again when the outcome of a commit is unknown")
    func unknownOutcome() async throws {
        let store = try AccountStore(SQLiteDatabase(path: folder.databasePath))
        let sample = SampleSignIn()
        let account = try await store.signIn(sample).signedIn.account
        #expect(store.rememberedSession(tokenHash: sample.token.hash) != nil)
        let disk = FailingDisk()
        store.queue.add(transactionObserver: disk)
        await expectFailure(.outcomeUnknown) { try await store.rename(account.id, to: "Maya") }
        #expect(store.rememberedSession(tokenHash: sample.token.hash) == nil)
        #expect(store.sqlite.cache.count == 0)
        store.queue.remove(transactionObserver: disk)
        let found = try await store.session(tokenHash: sample.token.hash, now: sample.now)
        #expect(found?.account == account)
        try store.close()
    }

    @Test("found before the cache was cleared are not cached")
    func forgottenReader() {
        let cache = SessionCache(maximumCount: 10)
        let (found, hash) = session()
        let generation = cache.generation
        cache.forgetAll()
        cache.fill(hash, found, generation: generation)
        #expect(cache.count == 0)
    }

    @Test("are evicted for others, the least recently used first")
    func sweep() {
        let cache = SessionCache(maximumCount: 10)
        for _ in 0..<110 {
            let (found, hash) = session()
            cache.apply([
                .insertAccount(found.account), .insertSession(found.session, tokenHash: hash),
            ])
            #expect(cache.count <= 10)
            #expect(cache.storedSession(tokenHash: hash) != nil)
        }
    }

    private func session() -> (SignedInSession, SecretHash) {
        let account = Account(id: .make(at: SampleSignIn.start), createdAt: SampleSignIn.start)
        let session = Session.sample(.make(at: SampleSignIn.start), of: account.id, lasting: 0)
        return (SignedInSession(session: session, account: account), SessionToken().hash)
    }

    private func change(
        _ store: AccountStore,
        _ samples: inout [SampleSignIn],
        _ chance: inout SeededNumbers
    ) async throws {
        let sample = samples.randomElement(using: &chance)
        switch Int.random(in: 0..<8, using: &chance) {
        case 0, 1, 2:
            var new = SampleSignIn()
            new.user = UserID("\(Int.random(in: 0..<6, using: &chance))")
            new.name = Bool.random(using: &chance) ? AccountName("Name \(samples.count)") : nil
            try await store.signIn(new)
            samples.append(new)
        case 3:
            guard let sample, let account = try await account(of: sample, in: store) else { return }
            _ = try await store.rename(account, to: AccountName("Other \(samples.count)"))
        case 4:
            guard let sample, let account = try await account(of: sample, in: store) else { return }
            _ = try await store.endSession(sample.session, of: account, now: sample.now)
        case 5:
            guard let sample, let account = try await account(of: sample, in: store) else { return }
            _ = try await store.endSessions(of: account, except: sample.session, now: sample.now)
        case 6:
            guard let sample, let account = try await account(of: sample, in: store) else { return }
            _ = try await store.deleteAccount(
                AccountStoreConformance.deletion(of: account, by: sample)
            )
        default:
            guard let sample else { return }
            let seconds = Double.random(in: 1..<1000, using: &chance).rounded()
            try await store.recordUses([
                SessionUse(
                    session: sample.session,
                    lastUsedAt: sample.now.addingTimeInterval(seconds),
                    expiresAt: sample.now.addingTimeInterval(3600 + seconds)
                )
            ])
        }
    }

    private func account(
        of sample: SampleSignIn,
        in store: AccountStore
    ) async throws -> AccountID? {
        try await store.session(tokenHash: sample.token.hash, now: sample.now)?.account.id
    }

    /// What memory says, or would have to read, is what the file says.
    private func expectExact(_ sample: SampleSignIn, in store: AccountStore) async throws {
        let hash = sample.token.hash
        let stored = try await store.database.read { $0.signedInSession(tokenHash: hash) }
        if let remembered = store.rememberedSession(tokenHash: hash) {
            #expect(remembered == stored)
        }
        #expect(try await store.session(tokenHash: hash, now: sample.now) == stored)
    }
}

/// A disk that fails in the middle of each commit.
private final class FailingDisk: TransactionObserver {
    func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { true }

    func databaseDidChange(with event: DatabaseEvent) {}

    func databaseWillCommit() throws { throw DatabaseError(resultCode: .SQLITE_IOERR) }

    func databaseDidCommit(_ database: Database) {}

    func databaseDidRollback(_ database: Database) {}
}
