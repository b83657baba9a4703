import AccountStoreConformance
import Accounts
import AppleIdentity
import Foundation
import GRDB
import Synchronization
import Testing

@testable import AccountsSQLite

@Suite("Sessions that are looked up on the thread of who asks")
struct ImmediateReadsTests {
    @Test("are answered before the call returns, from the file, and remembered from then on")
    func immediate() async throws {
        try await withSession { store, sample, signedIn, _ in
            let answers = Answers()
            #expect(store.findSession(tokenHash: sample.token.hash, for: answers))
            #expect(answers.taken == [signedIn])
            #expect(answers.endCount == 1)
            #expect(store.rememberedSession(tokenHash: sample.token.hash) == signedIn)
            #expect(store.findSession(tokenHash: SessionToken().hash, for: answers))
            #expect(answers.taken == [signedIn, nil])
        }
    }

    @Test("go another way for a while after two in a row that were slow")
    func slow() async throws {
        try await withSession { store, sample, signedIn, clock in
            let (hash, answers) = (sample.token.hash, Answers())
            clock.step.withLock { $0 = ImmediateReads.longestRead + .microseconds(1) }
            #expect(store.findSession(tokenHash: hash, for: answers))
            clock.step.withLock { $0 = .zero }
            store.cache.forgetAll()
            #expect(store.findSession(tokenHash: hash, for: answers))
            clock.step.withLock { $0 = ImmediateReads.longestRead + .microseconds(1) }
            for _ in 0..<ImmediateReads.slowReadCount {
                store.cache.forgetAll()
                #expect(store.findSession(tokenHash: hash, for: answers))
            }
            store.cache.forgetAll()
            #expect(!store.findSession(tokenHash: hash, for: answers))
            #expect(answers.taken.count == 4, "who is told of no answer must get none")
            let found = try await store.session(tokenHash: hash, now: sample.now)
            #expect(found == signedIn)
            #expect(store.rememberedSession(tokenHash: hash) == signedIn)
            store.cache.forgetAll()
            clock.advance(by: ImmediateReads.pause)
            #expect(store.findSession(tokenHash: hash, for: answers))
        }
    }

    @Test("go another way when there is one already, or when they fail")
    func another() async throws {
        try await withSession { store, _, _, _ in
            let reads = store.immediateReads
            let (inner, outer) = try #require(
                reads.read { _ in (reads.read { _ in 1 }, 2) }
            )
            #expect(inner == nil)
            #expect(outer == 2)
            let failed: Int? = reads.read { _ in throw DatabaseError(resultCode: .SQLITE_IOERR) }
            #expect(failed == nil)
            #expect(reads.read { _ in 3 } == 3)
        }
    }

    @Test("do not wait for a lock, and leave none")
    func locked() async throws {
        try await withSession { store, sample, signedIn, _ in
            let answers = Answers()
            #expect(store.findSession(tokenHash: sample.token.hash, for: answers))
            // A reader that still had its transaction open would be in the way of a log that begins anew.
            let checkpoint = try await store.queue.writeWithoutTransaction {
                try $0.checkpoint(.truncate)
            }
            #expect(checkpoint.walFrameCount == 0)
            #expect(answers.taken == [signedIn])
        }
    }

    /// A store with a session that it does not remember.
    private func withSession(
        _ body: (SQLiteAccountStore, SampleSignIn, SignedInSession, SteppingClock) async throws
            -> Void
    ) async throws {
        try await TemporaryFolder.with { folder in
            let clock = SteppingClock()
            let store = try SQLiteAccountStore(path: folder.databasePath, time: clock.source)
            let sample = SampleSignIn()
            let signedIn = try await store.signIn(sample).signedIn
            store.cache.forgetAll()
            try await body(store, sample, signedIn, clock)
            try store.close()
        }
    }
}

/// A clock that goes on by a step each time it is looked at.
private final class SteppingClock: Sendable {
    let step = Mutex(Duration.zero)
    private let uptime = Mutex(Duration.zero)

    var source: TimeSource {
        TimeSource(
            now: { Date() },
            uptime: {
                self.advance(by: self.step.withLock(\.self))
                return self.uptime.withLock(\.self)
            },
            sleep: { _ in throw CancellationError() }
        )
    }

    func advance(by duration: Duration) {
        uptime.withLock { $0 += duration }
    }
}

/// What a store has answered.
private final class Answers: SessionReceiver {
    private let answers = Mutex<[SignedInSession?]>([])
    private let ends = Mutex(0)

    var taken: [SignedInSession?] { answers.withLock(\.self) }
    var endCount: Int { ends.withLock(\.self) }

    func take(_ answer: @escaping SessionAnswer) {
        do {
            let found = try answer()
            answers.withLock { $0.append(found) }
        } catch {
            Issue.record(error)
        }
    }

    func answersEnd() { ends.withLock { $0 += 1 } }
}
