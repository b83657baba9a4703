import AccountStoreConformance
import AppleEmulator
import AppleEmulatorTesting
import Foundation
import ServerTestSupport
import SignInWithApple
import TestSupport
import Testing

@testable import Accounts

@Suite("The audit log", AccountsWorld.lending) struct AuditServiceTests {
    private let (world, service): (AccountsWorld, AccountsService)
    init() throws { (world, service) = try AccountsWorld.lentWithPasswords }

    private let client = ClientDescription(
        device: "Maya's laptop",
        address: "198.51.100.0/24",
        peer: "198.51.100.77",
        program: "Safari on Mac"
    )

    @Test("records the life of an account with a password: who did what, from where and with what")
    func life() async throws {
        func later() { world.time.advance(bySeconds: 1) }
        let made = try await service.create(email: "maya@example.com", from: client)
        later()
        let link = try await world.link(.verification)
        _ = try await service.verifyEmail(token: link, requestedBy: made.session, client: client)
        later()
        let second = try await service.signIn(from: client)
        later()
        try await service.endSession(made.session.id, requestedBy: second.session, client: client)
        later()
        let third = try await service.signIn(from: client)
        later()
        try await service.endOtherSessions(than: third.session, client: client)
        later()
        try await service.changeEmail(to: "next@example.com", by: third, client: client)
        later()
        _ = try await service.change(to: "the next secret", requestedBy: third.session)
        later()
        try await service.requestPasswordReset(for: "maya", client: client)
        later()
        let reset = try await world.link(.passwordReset)
        try await service.resetPassword(token: reset, to: "another secret", client: client)
        later()
        let last = try await service.signIn("maya", "another secret", from: client)
        later()
        _ = try await service.export(of: last.session, client: client)
        later()
        try await service.signOut(last.session, client: client)
        let entries = try await world.entries()
        #expect(
            entries.map(\.action) == [
                "account_created", "email_changed", "sign_in", "session_ended", "sign_in",
                "sessions_ended", "email_change_requested", "password_changed",
                "password_reset_requested", "password_reset", "sign_in", "export", "sign_out",
            ]
        )
        #expect(entries.allSatisfy { $0.account == made.account.id })
        #expect(entries.filter { $0.actor == "stranger" }.count == 1)
        let others = entries.filter { $0.action != "password_changed" }
        #expect(others.allSatisfy { $0.address == "198.51.100.77" })
        #expect(others.allSatisfy { $0.client == "Safari on Mac" })
        #expect(entries.first?.detail == "password" && entries[5].detail == "1")
        #expect(entries[3].session == made.session.id)
    }

    @Test("records links, unlinking, and the end of consent from a notification")
    func apple() async throws {
        let made = try await service.create()
        world.time.advance(bySeconds: 1)
        _ = try await service.link(world.nativeRequest(), to: made)
        world.time.advance(bySeconds: 1)
        _ = try await service.unlinkApple(requestedBy: made.session, client: client)
        world.time.advance(bySeconds: 1)
        let noah = try await service.signIn(world.nativeRequest(for: "noah@example.com"))
        world.time.advance(bySeconds: 1)
        try await world.apple.emulator.stopUsing("noah@example.com", clientID: "com.example.juice")
        #expect(await world.deliver(to: service) == [200])
        let entries = try await world.entries()
        let actions = entries.map(\.action)
        #expect(actions.prefix(2) == ["account_created", "apple_linked"])
        // Both entries have the time of the unlinking.
        let unlinking = actions.dropFirst(2).prefix(2)
        #expect(unlinking.sorted() == ["apple_unlinked", "email_change_requested"])
        #expect(actions.dropFirst(4) == ["account_created", "consent_ended"])
        #expect(entries[1].client == "com.example.juice")
        #expect(entries[4].detail == "native" && entries[4].account == noah.account.id)
        #expect(entries[5].actor == "apple" && entries[5].detail == "consent-revoked")
    }

    @Test(
        "records refused passwords with the account's identifier if known, and without a username"
    )
    func refusals() async throws {
        let made = try await service.create()
        world.time.advance(bySeconds: 1)
        for name in ["maya", "nobody-at-all"] {
            await expect(.credentialsInvalid) {
                try await service.signIn(name, "wrong horse", from: client)
            }
            world.time.advance(bySeconds: 1)
        }
        let refused = try await world.entries().filter { $0.action == "sign_in_refused" }
        #expect(refused.map(\.account) == [made.account.id, nil])
        #expect(refused.allSatisfy { $0.actor == "stranger" })
        #expect(refused.allSatisfy { $0.detail == "credentials_invalid" })
        #expect(refused.allSatisfy { $0.address == "198.51.100.77" })
    }

    @Test("records an administrator with the user name of the operating system")
    func administrator() async throws {
        let made = try await service.create()
        world.time.advance(bySeconds: 1)
        _ = try await service.endSessions(of: made.account.id, by: "root\u{7}")
        world.time.advance(bySeconds: 1)
        _ = try await service.deleteAccount(made.account.id, by: "root")
        let entries = try await world.entries().dropFirst()
        #expect(entries.map(\.action) == ["sessions_ended", "account_deleted"])
        #expect(entries.allSatisfy { $0.administrator == "root" })
        #expect(entries.allSatisfy { $0.actor == "administrator" })
        #expect(entries.allSatisfy { $0.account == made.account.id })
    }

    @Test("contains no name, email address, password or token")
    func nothingPersonal() async throws {
        let made = try await service.create(
            "mayas-username",
            name: "Maya Somebody",
            email: "mayas-own@example.com",
            from: client
        )
        let link = try await world.link(.verification)
        _ = try await service.verifyEmail(token: link, requestedBy: made.session, client: client)
        await expect(.credentialsInvalid) {
            try await service.signIn("mayas-username", "wrong horse", from: client)
        }
        let again = try await service.signIn("mayas-username", from: client)
        let account = try await service.account(of: again)
        try await service.deleteAccount(again.session, of: account, client: client)
        await world.maintenance().lookAfter()
        let rows = try await contents(of: world.sqlite).filter { $0.hasPrefix("audit") }
            .joined()
        #expect(rows.contains(made.account.id.rawValue))
        for word in [
            "mayas-", "Maya", "example.com", "laptop", AccountsWorld.password, "wrong horse",
            link, made.token.text, again.token.text,
        ] {
            #expect(!rows.contains(word), "\(word)")
        }
    }

    @Test("writes a line with only identifiers to the server's log for each entry")
    func lines() async throws {
        let made = try await service.create(email: "maya@example.com", from: client)
        world.time.advance(bySeconds: 1)
        await expect(.credentialsInvalid) {
            try await service.signIn("maya", "wrong horse", from: client)
        }
        world.time.advance(bySeconds: 1)
        try await service.signOut(made.session, client: client)
        let entries = try await world.entries()
        #expect(entries.map(\.action) == ["account_created", "sign_in_refused", "sign_out"])
        let lines = world.log.text.split(separator: "\n")
            .filter { $0.hasPrefix("info audit ") }
        #expect(lines.count == entries.count)
        for (line, entry) in zip(lines, entries) {
            let members = [
                "entry": entry.id.rawValue, "event": entry.action, "actor": entry.actor,
                "account": made.account.id.rawValue,
            ]
            for (name, value) in members { #expect(line.contains("\"\(name)\": \(value)")) }
            for word in ["198.51.100", "Safari", "maya", made.token.text] {
                #expect(!line.contains(word), "\(word)")
            }
        }
    }

    @Test("keeps entries for the configured time, even if the clock was ahead once")
    func retention() async throws {
        var world = world
        world.configuration.auditMemory = 86_400
        let service = world.service()
        let maintenance = service.maintenance()
        let start = world.time.now
        let ahead = start.addingTimeInterval(10 * 86_400)
        world.time.set(now: ahead)
        try await service.recordAdministration(.accountsListed, by: "root")
        world.time.set(now: start)
        try await service.recordAdministration(.auditRead, by: "root")
        world.time.advance(bySeconds: 86_399)
        await maintenance.cleanUp()
        #expect(try await world.entries().count == 2)
        world.time.advance(bySeconds: 1)
        await maintenance.cleanUp()
        #expect(try await world.entries().map(\.occurredAt) == [ahead])
        world.time.set(now: ahead.addingTimeInterval(86_400))
        await maintenance.cleanUp()
        #expect(try await world.entries().isEmpty)
    }

    @Test("records a part of a flood of refusals, and the number of skipped ones")
    func flood() {
        let budget = AuditBudget()
        let admitted = (0..<500).compactMap { _ in
            budget.admitRefusal(namesAccount: true, now: .zero)
        }
        #expect(admitted.count == AuditBudget.burst && admitted.allSatisfy { $0 == 0 })
        let later = AuditBudget.interval
        #expect(budget.admitRefusal(namesAccount: true, now: later) == 400)
        #expect(budget.admitRefusal(namesAccount: true, now: later) == nil)
        // What could not be written counts as left out again.
        budget.takeBackRefusals(401)
        #expect(budget.takeSkipped(now: later, isLast: false) == nil)
        #expect(budget.takeSkipped(now: later * 2, isLast: false) == 402)
        #expect(budget.takeSkipped(now: later * 3, isLast: true) == nil)
    }

    @Test("records guesses at an account during a flood of refusals that name none")
    func hiding() {
        let budget = AuditBudget()
        let admitted = (0..<500).compactMap { _ in
            budget.admitRefusal(namesAccount: false, now: .zero)
        }
        #expect(admitted.count == AuditBudget.burst / 2)
        for second in 0..<AuditBudget.burst {
            let now: Duration = .seconds(second)
            #expect(budget.admitRefusal(namesAccount: true, now: now) != nil)
            #expect(budget.admitRefusal(namesAccount: false, now: now) == nil)
        }
    }

    @Test(
        "records the number of skipped refusals even if no other refusal follows",
        arguments: [true, false]
    )
    func lastRefusals(isAtTheEnd: Bool) async throws {
        for _ in 0..<AuditBudget.burst / 2 + 7 {
            await service.recordRefusal(.credentialsInvalid, client)
        }
        // A store that can't be written to loses no count.
        try await world.makeReadOnly(true)
        let maintenance = service.maintenance()
        world.time.advance(bySeconds: 2)
        await maintenance.lookAfter()
        try await world.makeReadOnly(false)
        if isAtTheEnd {
            try await withThrowingTaskGroup { group in
                group.addTask { try await maintenance.run() }
                group.cancelAll()
                try await group.waitForAll()
            }
        } else {
            world.time.advance(bySeconds: 2)
            await maintenance.lookAfter()
            await maintenance.lookAfter()
        }
        let skipped = try await world.entries().filter { $0.action == "refusals_skipped" }
        #expect(skipped.map(\.detail) == ["7"] && skipped.map(\.actor) == ["server"])
    }

    @Test("makes an export wait while another export's entry is being written")
    func exports() async throws {
        let budget = AuditBudget()
        #expect(await budget.admitsExport(of: "a", now: .zero))
        #expect(await budget.admitsExport(of: "b", now: .zero))
        var waiting: [Task<Bool, Never>] = []
        for count in 1...3 {
            waiting.append(Task { await budget.admitsExport(of: "a", now: .seconds(1)) })
            try await waitUntil { budget.waitingCount(of: "a") >= count }
        }
        // The first entry could not be written: the next one writes its own, and covers the others.
        budget.settleExport(of: "a", writtenAt: nil)
        #expect(await waiting[0].value)
        budget.settleExport(of: "a", writtenAt: .seconds(2))
        #expect(await waiting[1].value == false)
        #expect(await waiting[2].value == false)
        #expect(await budget.admitsExport(of: "a", now: .seconds(61)) == false)
        #expect(await budget.admitsExport(of: "a", now: .seconds(62)))
        budget.settleExport(of: "a", writtenAt: nil)
        #expect(await budget.admitsExport(of: "a", now: .seconds(62)))
    }

    @Test("finds the entries of an action and an actor among others, in both orders")
    func filters() async throws {
        let entries = try await world.sqlite.recordEntries(1_200)
        let own = entries.filter { $0.actor == "administrator" }
        let query = AuditQuery(action: .sessionEnded, actor: .administrator, count: 550)
        #expect(try await service.auditEntries(query) == Array(own.prefix(550)))
        let latest = AuditQuery(actor: .administrator, count: 590, isLatestFirst: true)
        #expect(try await service.auditEntries(latest) == Array(own.reversed().prefix(590)))
        #expect(try await service.auditEntries(AuditQuery(action: .signIn)).isEmpty)
    }

    @Test("records every export: without its entry, an export fails")
    func exportWithoutEntry() async throws {
        let session = try await service.create().session
        try await world.makeReadOnly(true)
        await withTaskGroup { group in
            for _ in 0..<8 {
                group.addTask {
                    await expect(.storeUnavailable) {
                        _ = try await service.export(of: session, client: client)
                    }
                }
            }
        }
        try await world.makeReadOnly(false)
        for _ in 0..<2 { _ = try await service.export(of: session, client: client) }
        #expect(try await world.entries().filter { $0.action == "export" }.count == 1)
    }
}

extension AccountsWorld {
    /// The audit log in the order of its times.
    func entries() async throws -> [AuditEntry] {
        try await sqlite.auditEntries(AuditQuery(count: AuditQuery.maximumCount))
    }
}
