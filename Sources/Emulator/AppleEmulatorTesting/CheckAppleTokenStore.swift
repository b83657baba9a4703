import AppleEmulator
import AppleIdentity
import Foundation
import SignInWithApple

/// Tests a store of your own for `AppleTokens`, against an emulator of Apple in this process.
///
/// It checks the functions one by one. Then two workers share the store, a transaction is interrupted, Apple is not
/// reachable, and a user signs in again before the revocation.
///
/// - Parameter makeStore: creates a store of an empty database, outside of a transaction; called for each check.
/// - Throws: ``TestAppleError`` about the first check that fails; an error of the store.
public func checkAppleTokenStore<Store: AppleTokenStore>(
    _ makeStore: () async throws -> Store
) async throws {
    try await AppleTokenRows(store: makeStore()).check()
    try await AppleTokenRows(store: makeStore()).checkRace()
    try await AppleTokenRows(store: makeStore()).checkDue()
    try await AppleTokenRows(store: makeStore()).checkTransaction()
    for check in AppleTokenStory<Store>.checks {
        let store = try await makeStore()
        try await withAppleEmulator { apple in try await check(AppleTokenStory(apple, store))() }
    }
}

/// The functions of a store, without Apple.
private struct AppleTokenRows<Store: AppleTokenStore> {
    private struct Interruption: Error {}

    let store: Store

    private func record(
        _ person: String,
        _ version: String,
        due seconds: Int = 0,
        content: String = "{}"
    ) -> AppleTokenRecord {
        AppleTokenRecord(
            person: String(repeating: person, count: 64),
            version: String(repeating: version, count: 32),
            dueAt: Date(timeIntervalSince1970: 1_770_000_000 + TimeInterval(seconds)),
            isRefused: seconds < 0,
            content: content
        )
    }

    private func stored(_ record: AppleTokenRecord) async throws -> AppleTokenRecord? {
        try await store.record(of: record.person)
    }

    func check() async throws {
        let long = #"{"é":"\u0000 \#(String(repeating: "x", count: 8_000))"}"#
        let (first, other) = (record("a", "1"), record("a", "2"))
        let second = record("a", "3", due: -30, content: long)
        try expect(try await stored(first) == nil, "record(of:) finds what was never stored")
        try expect(try await store.replace(nil, with: first), "a new record is not inserted")
        try expect(try await stored(first) == first, "a record is read otherwise than stored")
        // A store may also throw.
        let isInsertedTwice = (try? await store.replace(nil, with: other)) ?? false
        try expect(!isInsertedTwice, "a record is inserted over another")
        try expect(try await store.replace(first, with: second), "a record is not replaced")
        try expect(try await stored(first) == second, "a record is read otherwise than stored")
        for replacement in [other, nil] {
            let isReplaced = (try? await store.replace(first, with: replacement)) ?? false
            try expect(!isReplaced, "a record is replaced that has another version")
        }
        try expect(try await stored(first) == second, "a refused change is stored")
        try expect(try await store.replace(second, with: nil), "a record is not deleted")
        try expect(try await stored(first) == nil, "a deleted record is found")
    }

    /// One of many writers at once replaces a record.
    func checkRace() async throws {
        let first = record("a", "1")
        _ = try await store.replace(nil, with: first)
        let others = (0..<16).map { number in
            record("a", String(UnicodeScalar(UInt8(ascii: "b") + number)))
        }
        let winners = await withTaskGroup { group in
            for other in others {
                group.addTask {
                    (try? await store.replace(first, with: other)) == true ? other : nil
                }
            }
            return await group.reduce(into: []) { $0.append($1) }.compactMap(\.self)
        }
        try expect(winners.count == 1, "of writers at once, not exactly one replaces a record")
        try expect(try await stored(first) == winners.first, "the record is not the writer's")
    }

    func checkDue() async throws {
        let records = [
            record("c", "1", due: 60), record("b", "1", due: 30), record("a", "1", due: -30),
        ]
        for record in records { _ = try await store.replace(nil, with: record) }
        let now = records[1].dueAt
        let due = try await store.dueRecords(at: now, maximumCount: 9)
        try expect(due == [records[2], records[1]], "dueRecords is not what is due, in its order")
        let first = try await store.dueRecords(at: now, maximumCount: 1)
        try expect(first == [records[2]], "dueRecords ignores maximumCount")
        try expect(try await store.refusedCount() == 1, "refusedCount counts others")
    }

    func checkTransaction() async throws {
        let (first, second, third) = (record("a", "1"), record("b", "1"), record("a", "2"))
        do {
            try await store.transaction { store in
                _ = try await store.replace(nil, with: first)
                throw Interruption()
            }
            throw TestAppleError("AppleTokenStore: a transaction hides an error")
        } catch is Interruption {}
        try expect(try await stored(first) == nil, "an interrupted transaction is stored")
        try await store.transaction { store in
            _ = try await store.replace(nil, with: first)
            _ = try await store.replace(nil, with: second)
            let seen = try await store.record(of: first.person)
            try expect(seen == first, "a transaction does not see its own change")
            let isReplaced = try await store.replace(first, with: third)
            try expect(isReplaced, "a transaction cannot replace what it inserted")
        }
        try expect(try await stored(first) == third, "a transaction stores an earlier change")
        try expect(try await stored(second) == second, "a transaction is not stored")
    }
}

/// A user signs in and deletes the account, in an emulator of Apple.
private struct AppleTokenStory<Store: AppleTokenStore> {
    static var checks: [@Sendable (Self) -> () async throws -> Void] {
        [{ $0.twoWorkers }, { $0.interruption }, { $0.outage }, { $0.signInAgain }, { $0.leaving }]
    }

    private struct Interruption: Error {}

    private let apple: TestApple
    private let store: Store
    private let signIn: AppleSignIn
    private let ended = LockedValue<[UserID]>([])
    private let workers: [AppleTokens<Store>]

    init(_ apple: TestApple, _ store: Store) throws {
        self.apple = apple
        self.store = store
        let signIn = try apple.signIn()
        self.signIn = signIn
        let sealer = try TokenSealer(keys: TokenSealer.makeKey(identifier: "k1"))
        let ended = ended
        workers = (0..<2).map { _ in
            AppleTokens(signIn, store: store, sealer: sealer) { user, _, _ in
                ended.withLock { $0.append(user) }
            }
        }
    }

    func twoWorkers() async throws {
        let user = try await signIn()
        try await delete(user)
        await withTaskGroup { group in
            for worker in workers { group.addTask { await worker.processDue() } }
        }
        try await expectRevocations(1, "two workers revoke a token twice, or never")
        apple.advance(by: .seconds(3_600))
        try await process()
        try await expectRevocations(1, "a revoked token is revoked again")
    }

    /// The server stops after it has changed the store, before the transaction ends.
    func interruption() async throws {
        let user = try await signIn()
        do {
            try await store.transaction { store in
                try await workers[0].queueRevocations(of: user, in: store)
                throw Interruption()
            }
        } catch is Interruption {}
        try await process()
        try await expectRevocations(0, "a deletion that was undone revokes a token")
        try await delete(user)
        try await process()
        try await expectRevocations(1, "a deletion does not revoke the token")
    }

    func outage() async throws {
        let user = try await signIn()
        try await apple.fail(.revoke, times: 2)
        try await delete(user)
        for _ in 0..<3 {
            try await process()
            apple.advance(by: .seconds(300))
        }
        try await expectRevocations(3, "a revocation is not repeated after an outage")
        try expect(try await waitingCount() == 0, "a token stays in the store")
    }

    func signInAgain() async throws {
        let user = try await signIn()
        try await delete(user)
        apple.advance(by: .seconds(2))
        _ = try await signIn()
        try await process()
        try await expectRevocations(0, "the revocation of an earlier account ends a new consent")
    }

    /// The user stops using the app, and no notification arrives.
    func leaving() async throws {
        let user = try await signIn()
        try await apple.emulator.stopUsing(
            "maya@example.com",
            clientID: "com.example.juice"
        )
        apple.advance(by: .seconds(86_401))
        try await process()
        let ended = ended.withLock(\.self)
        try expect(ended == [user], "the end of a user's consent is not reported once")
    }

    private func signIn() async throws -> UserID {
        let credential = try await apple.credentials(nonce: "n-1")
        let grant = try await signIn.signIn(
            identityToken: credential.identityToken,
            code: credential.authorizationCode,
            nonce: .raw("n-1")
        )
        try await store.transaction { store in
            try await workers[0].keep(grant.refreshToken, of: grant.identity, in: store)
        }
        return grant.identity.userID
    }

    private func delete(_ user: UserID) async throws {
        try await store.transaction { try await workers[0].queueRevocations(of: user, in: $0) }
    }

    private func process() async throws {
        for worker in workers { await worker.processDue() }
    }

    private func waitingCount() async throws -> Int {
        try await store.dueRecords(at: apple.now.addingTimeInterval(7 * 86_400), maximumCount: 9)
            .count
    }

    private func expectRevocations(_ count: Int, _ failure: String) async throws {
        let revocations = await apple.requests.count { $0.path == "/auth/revoke" }
        try expect(revocations == count, failure)
    }
}

private func expect(_ isTrue: Bool, _ failure: String) throws {
    guard isTrue else { throw TestAppleError("AppleTokenStore: \(failure)") }
}
