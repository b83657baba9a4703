import AccountStoreConformance
import AccountsSQLite
import AppleEmulator
import AppleEmulatorTesting
import AppleIdentity
import Foundation
import SignInWithApple
import Testing

@testable import Accounts

@Suite("Resealing", AccountsWorld.lending) struct ResealingTests {
    private let world: AccountsWorld
    init() throws { world = try AccountsWorld.lent.0 }

    @Test("allows an old key to be removed: tokens encrypted with it still reach Apple")
    func oldKeyDropped() async throws {
        let old = TokenSealer.makeKey(identifier: "old")
        let new = TokenSealer.makeKey(identifier: "new")
        let before = try world.service(sealing: old)
        let leaving = try await before.signIn(world.webRequest())
        _ = try await before.deleteAccount(leaving.account.id, by: "root")
        let staying = try await before.signIn(world.nativeRequest(for: "noah@example.com"))

        let step = try await world.service(sealing: "\(new),\(old)").reseal(after: nil, by: "root")
        #expect(step.resealedCount == 2 && step.unopenedCount == 0 && step.next == nil)

        let after = try world.service(sealing: new)
        _ = try await after.deleteAccount(staying.account.id, by: "root")
        let worker = try world.worker(sealer: TokenSealer(keys: new))
        #expect(await worker.drain() == 2)
        #expect(await world.statuses(of: ApplePath.revoke) == [200, 200])
    }

    @Test("encrypts queued mail again, for its own entry")
    func mail() throws {
        let old = TokenSealer.makeKey(identifier: "old")
        let new = TokenSealer.makeKey(identifier: "new")
        let order = MailOrder(kind: .verification, language: "en", occurredAt: SampleSignIn.start)
        let entry = try order.entry(id: "1", account: "2", sealedBy: TokenSealer(keys: old))
        guard case .mail(let mail) = entry.task else {
            Issue.record("\(entry)")
            return
        }
        let batch = ResealingBatch(
            sealer: try TokenSealer(keys: "\(new),\(old)"),
            after: nil,
            maximumCount: 10
        )
        let decision = batch.decision(given: [
            .entry(entry.id, entry.task), .entry("another", entry.task), .unreadableEntry("3"),
        ])
        #expect(decision.answer.resealedCount == 1 && decision.answer.unopenedCount == 2)
        guard case .replaceTask("1", let task) = try #require(decision.writes.first),
            case .mail(let again) = task
        else {
            Issue.record("\(decision.writes)")
            return
        }
        #expect(again.recipient == "2" && again.expiresAt == mail.expiresAt && again.isAwaited)
        let later = ResealingBatch(sealer: try TokenSealer(keys: new), after: nil, maximumCount: 10)
        #expect(later.decision(given: [.entry("1", task)]).answer.currentCount == 1)
    }

    @Test("finds what a lost key encrypted, also if another key has its name, and gives it up")
    func lostKey() async throws {
        let lost = TokenSealer.makeKey(identifier: "lost")
        let before = try world.service(sealing: lost)
        let leaving = try await before.signIn(world.webRequest())
        _ = try await before.deleteAccount(leaving.account.id, by: "root")
        let staying = try await before.signIn(world.nativeRequest(for: "noah@example.com"))
        _ = try await before.publishedTokenKeys()
        for keys in [
            TokenSealer.makeKey(identifier: "new"), TokenSealer.makeKey(identifier: "lost"),
        ] {
            let secrets = try await world.service(sealing: keys).unopenedSecrets()
            #expect(secrets.description == "lost: 3 secrets, 2 of them refresh tokens")
            #expect(secrets.keys == ["lost"] && secrets.refreshTokenCount == 2)
        }
        let after = try world.service(sealing: TokenSealer.makeKey(identifier: "new"))
        let step = try await after.reseal(after: nil, abandoning: ["lost"], by: "root")
        #expect(step.unopenedCount == 0)
        #expect(try await after.unopenedSecrets().count == 0)
        let account = try await world.sqlite.account(staying.account.id)
        #expect(account?.apple?.hasRefreshToken == false)
        let session = try await after.session(token: staying.token.text)
        #expect(session.account.apple?.hasRefreshToken == false)
        let entries = try await world.sqlite.auditEntries(AuditQuery())
        #expect(entries.contains { $0.detail == "abandoned lost" })
    }

    @Test("keeps what an abandoned key encrypted if it is configured")
    func abandonedButKnown() async throws {
        let old = TokenSealer.makeKey(identifier: "old")
        _ = try await world.service(sealing: old).signIn(world.webRequest())
        let new = TokenSealer.makeKey(identifier: "new")
        let both = try world.service(sealing: "\(new),\(old)")
        let step = try await both.reseal(after: nil, abandoning: ["old"], by: "root")
        #expect(step.resealedCount == 1 && step.unopenedCount == 0)
        #expect(try await world.service(sealing: new).unopenedSecrets().count == 0)
    }

    @Test("never shows a part of a text that is not encrypted")
    func unencrypted() async throws {
        try await world.sqlite.signIn(SampleSignIn(refreshToken: "secret-without-a-dot"))
        let secrets = try await world.service().unopenedSecrets()
        #expect(secrets.description == "unknown: 1 secret, 1 of them refresh tokens")
    }

    @Test("reads all secrets, in batches")
    func manySecrets() async throws {
        for number in 1...401 {
            try await world.sqlite.signIn(sample(number, sealedBy: world.sealer))
        }
        #expect(try await world.service().unopenedSecrets().count == 0)
        let other = try world.service(sealing: TokenSealer.makeKey(identifier: "other"))
        #expect(try await other.unopenedSecrets().count == 401)
    }

    @Test("continues after a process that died")
    func interrupted() async throws {
        let old = TokenSealer.makeKey(identifier: "old")
        let new = TokenSealer.makeKey(identifier: "new")
        let both = try TokenSealer(keys: "\(new),\(old)")
        let path = world.folder.appending(path: "other.sqlite").path
        let first = try AccountStore(SQLiteDatabase(path: path))
        for number in 1...5 {
            try await first.signIn(sample(number, sealedBy: TokenSealer(keys: old)))
        }
        let step = try await first.reseal(ResealingBatch(sealer: both, after: nil, maximumCount: 2))
        #expect(step.resealedCount == 2)
        try first.close()

        let second = try AccountStore(SQLiteDatabase(path: path))
        let beginning = try await second.reseal(
            ResealingBatch(sealer: both, after: nil, maximumCount: 3)
        )
        #expect(beginning.currentCount == 2 && beginning.resealedCount == 1)
        let position = try #require(beginning.next)
        let rest = try await second.reseal(
            ResealingBatch(
                sealer: both,
                after: ResealingPosition(position.description),
                maximumCount: 3
            )
        )
        #expect(rest.resealedCount == 2 && rest.next == nil)
        let checked = try await second.reseal(
            ResealingBatch(sealer: try TokenSealer(keys: new), after: nil, maximumCount: 10)
        )
        #expect(checked.currentCount == 5)
        try second.close()
    }

    @Test(
        "refuses any other string as a position",
        arguments: ["", "token", "token/a", "token/a/b/c", "entry", "entry/a/b", "mail/a"]
    )
    func positions(_ text: String) {
        #expect(ResealingPosition(text) == nil)
    }

    private func sample(_ number: Int, sealedBy sealer: TokenSealer) throws -> SampleSignIn {
        var sample = SampleSignIn(user: UserID("\(number)"))
        let id = RefreshTokenID("id of \(number)")
        sample.refreshTokenID = id
        sample.refreshToken = sealer.seal(
            Data("token \(number)".utf8),
            for: .refreshToken(id, clientID: sample.clientID)
        )
        return sample
    }
}
