import AccountStoreConformance
import Accounts
import AccountsSQLite
import AppleIdentity
import Foundation
import SignInWithApple
import Testing

@Suite("A server that seals the audit log", .timeLimit(.minutes(1)))
struct AuditSealerTests {
    @Test("does so with its maintenance, and writes the end of the chain into its log")
    func sealing() async throws {
        try await AccountsWorld.with { world in
            let service = world.service()
            let maintenance = service.maintenance()
            _ = try await service.signIn(world.nativeRequest())
            await maintenance.lookAfter()
            let step = try await service.checkAudit(after: nil, expecting: nil)
            #expect(step.findings.isEmpty && step.checkedCount == 1 && step.waitingCount == 0)
            let head = try #require(step.seal?.head)
            #expect(world.log.text.contains("notice audit log sealed [\"head\": \(head)]"))
            let known = try await service.checkAudit(after: nil, expecting: head)
            #expect(known.findings.isEmpty)
        }
    }

    @Test("makes the seal anew each minute, so that its age tells of one that was put back")
    func age() async throws {
        try await AccountsWorld.with { world in
            let service = world.service()
            let maintenance = service.maintenance()
            let first = world.time.now
            var times: [Date?] = []
            for seconds in [0.0, 59, 1] {
                world.time.advance(bySeconds: seconds)
                await maintenance.lookAfter()
                let step = try await service.checkAudit(after: nil, expecting: nil)
                times.append(step.seal?.sealedAt)
            }
            #expect(times == [first, first, first.addingTimeInterval(60)])
        }
    }

    @Test("sees by one entry that waits that there is something to do")
    func look() throws {
        let keys = try AccountStoreConformance.auditKeys()
        let restart = AccountStoreConformance.sealing(keys, restarts: true)
        guard case .sealed(let seal, _) = restart.decision(given: AuditFacts()).answer else {
            Issue.record("a chain that begins anew has no seal")
            return
        }
        let look = AccountStoreConformance.sealing(keys, maximumCount: 500).look
        #expect(look.maximumCount == 1)
        var facts = AuditFacts(seal: seal)
        #expect(look.isIdle(given: facts) && !restart.look.isIdle(given: facts))
        let entry = AuditEntry(
            id: .make(at: SampleSignIn.start),
            occurredAt: SampleSignIn.start,
            action: "sign_in",
            actor: "person"
        )
        facts.waiting = [entry]
        #expect(!look.isIdle(given: facts))
    }

    @Test("notices that the log was put back to an earlier state, and seals nothing over it")
    func putBack() async throws {
        try await AccountsWorld.with { world in
            let service = world.service()
            let maintenance = service.maintenance()
            _ = try await service.signIn(world.nativeRequest())
            await maintenance.lookAfter()
            try await execute("CREATE TABLE kept AS SELECT * FROM audit_seal", on: world.sqlite)
            _ = try await service.signIn(world.nativeRequest())
            await maintenance.lookAfter()
            try await execute(
                """
                DELETE FROM audit_entries WHERE number > 1; DELETE FROM audit_seal;
                INSERT INTO audit_seal SELECT * FROM kept
                """,
                on: world.sqlite
            )
            _ = try await service.signIn(world.nativeRequest())
            await maintenance.lookAfter()
            #expect(world.log.text.contains("error the audit log was altered"))
            #expect(world.log.text.contains("put_back"))
            let step = try await service.checkAudit(after: nil, expecting: nil)
            #expect(step.waitingCount == 1 && step.checkedCount == 1)

            try await service.restartAudit(by: "root")
            await maintenance.lookAfter()
            let after = try await service.checkAudit(after: nil, expecting: nil)
            #expect(after.findings.isEmpty && after.waitingCount == 0 && after.checkedCount == 2)
            let actions = try await world.entries().map(\.action)
            #expect(actions.contains("audit_restarted"))
        }
    }

    @Test("forgets what is older than it is told to keep")
    func retention() async throws {
        try await AccountsWorld.with { world in
            var world = world
            world.configuration.auditMemory = 86_400
            let service = world.service()
            let maintenance = service.maintenance()
            _ = try await service.signIn(world.nativeRequest())
            await maintenance.lookAfter()
            world.time.advance(bySeconds: 86_400)
            let last = try await service.signIn(world.nativeRequest())
            await maintenance.lookAfter()
            await maintenance.cleanUp()
            #expect(try await world.entries().count == 2)
            world.time.advance(bySeconds: 1)
            await maintenance.cleanUp()
            #expect(try await world.entries().map(\.session) == [last.session.id])
            let step = try await service.checkAudit(after: nil, expecting: nil)
            #expect(step.findings.isEmpty && step.seal?.checkpoint.number == 1)
        }
    }

    @Test("goes on with another key, and the old one can be dropped")
    func rotation() async throws {
        try await AccountsWorld.with { world in
            let old = TokenSealer.makeKey(identifier: "old")
            let new = TokenSealer.makeKey(identifier: "new")
            let before = try world.service(sealing: old)
            _ = try await before.signIn(world.nativeRequest())
            await before.maintenance().lookAfter()
            let both = try world.service(sealing: "\(new),\(old)")
            _ = try await both.reseal(after: nil, by: "root")
            let after = try world.service(sealing: new)
            let step = try await after.checkAudit(after: nil, expecting: nil)
            #expect(step.findings.isEmpty && step.checkedCount == 2)
            let dropped = try await before.checkAudit(after: nil, expecting: nil)
            #expect(dropped.findings.map(\.fault) == [.sealInvalid])
        }
    }

    @Test("takes entries of a command without the keys as what they are")
    func withoutKeys() async throws {
        try await AccountsWorld.with { world in
            let command = AccountsService(
                store: world.sqlite,
                sealer: try TokenSealer(keys: TokenSealer.makeKey(identifier: "unused")),
                hasServerKeys: false,
                time: world.time.source,
                logger: world.logger
            )
            _ = try await command.deleteAccount("nobody", by: "root")
            try await command.recordAdministration(.accountsListed, by: "root")
            try await command.sealAudit()
            await expect(.internalError) {
                try await command.checkAudit(after: nil, expecting: nil)
            }
            let service = world.service()
            await service.maintenance().lookAfter()
            let step = try await service.checkAudit(after: nil, expecting: nil)
            #expect(step.unsignedCount == 1 && step.findings.isEmpty)
        }
    }

    @Test(
        "takes no other text for a place in the chain",
        arguments: [
            "", ":", "1", "1:", "-1:" + String(repeating: "a", count: 64),
            "1:" + String(repeating: "a", count: 63), "1:" + String(repeating: "a", count: 66),
            "1:" + String(repeating: "g", count: 64), "1:" + String(repeating: "+1", count: 32),
            "1:2:" + String(repeating: "a", count: 64), "x:" + String(repeating: "a", count: 64),
        ]
    )
    func positions(_ text: String) {
        #expect(AuditPosition(text) == nil)
    }

    @Test("reads a place in the chain as it was written")
    func positionRoundTrip() {
        let position = AuditPosition(number: 7, hash: Data((0..<32).map { UInt8($0 * 8 % 256) }))
        #expect(AuditPosition(position.description) == position)
    }
}
