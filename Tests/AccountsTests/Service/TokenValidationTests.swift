import AccountsSQLite
import AppleEmulator
import AppleEmulatorTesting
import AppleIdentity
import Foundation
import ServerTestSupport
import SignInWithApple
import TestSupport
import Testing

@testable import Accounts

@Suite("Validation of refresh tokens", AccountsWorld.lending) struct TokenValidationTests {
    private let (world, service): (AccountsWorld, AccountsService)
    init() throws { (world, service) = try AccountsWorld.lentWithPasswords }

    private let day: TimeInterval = 86_400
    private let maya = "maya@example.com"

    @Test("calls Apple once a day, and not before a day is over")
    func onceADay() async throws {
        let receipt = try await world.service().signIn(world.nativeRequest())
        let validation = try world.validation()
        world.time.advance(bySeconds: day - 1)
        await validation.validateDue()
        #expect(await refreshes() == 0)
        for count in 1...3 {
            world.time.advance(bySeconds: count == 1 ? 1 : day)
            await validation.validateDue()
            await validation.validateDue()
            #expect(await refreshes() == count)
        }
        #expect(await world.signedIn(receipt, in: world.service()))
    }

    @Test("ends sessions when consent was withdrawn and no notification arrived")
    func revoked() async throws {
        let receipt = try await service.signIn(world.nativeRequest())
        let noah = try await service.signIn(world.nativeRequest(for: "noah@example.com"))
        world.time.advance(bySeconds: day)
        try await world.apple.emulator.stopUsing(maya, clientID: "com.example.juice")
        #expect(await world.signedIn(receipt, in: service))
        try await world.validation().validateDue()
        #expect(await !world.signedIn(receipt, in: service))
        #expect(await world.signedIn(noah, in: service))
        // There is nothing left to ask about, and coming back is the same account.
        let asked = await refreshes(codeCount: 2)
        world.time.advance(bySeconds: day)
        try await world.validation().validateDue()
        #expect(await refreshes(codeCount: 2) == asked + 1)
        let back = try await service.signIn(world.nativeRequest())
        #expect(back.account.id == receipt.account.id)
        #expect(try await service.credentialState(of: back.account) == .authorized)
    }

    @Test("ends no consent that the user has given again since, without a code")
    func newerConsent() async throws {
        _ = try await service.signIn(world.nativeRequest())
        world.time.advance(bySeconds: day - 60)
        try await world.apple.emulator.stopUsing(maya, clientID: "com.example.juice")
        world.time.advance(bySeconds: 30)
        let request = try await world.nativeRequest()
        let back = try await service.onSignIn(service.check(request), grant: nil)
        world.time.advance(bySeconds: 30)
        try await world.validation().validateDue()
        #expect(await refreshes() == 1)
        #expect(await world.signedIn(back, in: service))
        let export = try await service.export(of: back.session)
        #expect(export.refreshTokens.isEmpty && export.account.appleLinkRemains)
    }

    @Test("keeps the password and its sessions")
    func password() async throws {
        let made = try await service.create()
        _ = try await service.link(world.nativeRequest(), to: made)
        world.time.advance(bySeconds: day)
        try await world.apple.emulator.stopUsing(maya, clientID: "com.example.juice")
        try await world.validation().validateDue()
        let account = try await service.account(of: made)
        #expect(try await service.credentialState(of: account) == .revoked)
        try await service.signIn()
    }

    @Test(
        "ends nothing while Apple is down, sends nonsense or refuses this server, and retries",
        arguments: [
            ["endpoint": "token", "status": 500, "count": 9],
            ["endpoint": "token", "status": 503, "body": "<html>", "count": 9],
            [
                "endpoint": "token", "status": 400, "body": #"{"error":"invalid_client"}"#,
                "count": 9,
            ],
            ["endpoint": "token", "drop": true, "count": 9],
        ] as [JSONObject]
    )
    func appleDown(fault: JSONObject) async throws {
        let receipt = try await service.signIn(world.nativeRequest())
        world.time.advance(bySeconds: day)
        _ = try await world.apple.emulator.addFault(fault)
        try await world.validation().validateDue()
        #expect(await refreshes() > 0)
        #expect(await world.signedIn(receipt, in: service))
        try await world.apple.emulator.stopUsing(maya, clientID: "com.example.juice")
        await world.apple.emulator.clearFaults()
        world.time.advance(bySeconds: day)
        try await world.validation().validateDue()
        #expect(await !world.signedIn(receipt, in: service))
    }

    @Test("ends nothing for a refusal of the request itself, and logs both causes")
    func bareInvalidRequest() async throws {
        let receipt = try await service.signIn(world.nativeRequest())
        world.time.advance(bySeconds: day)
        _ = try await world.apple.emulator.addFault([
            "endpoint": "token", "status": 400, "count": 1,
            "body": #"{"error":"invalid_request"}"#,
        ])
        try await world.validation().validateDue()
        #expect(await refreshes() == 1)
        #expect(await world.signedIn(receipt, in: service))
        #expect(world.log.text.contains("may have stopped using"))
        #expect(world.log.text.contains("may have been modified"))
    }

    @Test("of many tokens runs in batches side by side, each token once")
    func sideBySide() async throws {
        try await signIn(count: 8)
        world.time.advance(bySeconds: day)
        let runningCount = LockedValue(0)
        let transport = AppleTransport { [apple = world.apple] request, body in
            if request.path == ApplePath.token {
                runningCount.withLock { $0 += 1 }
                try await waitUntil("all are under way") { runningCount.withLock(\.self) == 8 }
            }
            return try await apple.transport.send(request, body: body)
        }
        let validation = try world.validation(countPerMinute: 601, transport: transport)
        await validation.validateDue()
        #expect(await refreshes(codeCount: 8) == 8)
    }

    @Test("is limited to a number of tokens a minute")
    func limit() async throws {
        try await signIn(count: 10)
        world.time.advance(bySeconds: day)
        let validation = try world.validation(countPerMinute: 6)
        for count in [6, 10, 10] {
            await validation.validateDue()
            #expect(await refreshes(codeCount: 10) == count)
        }
    }

    @Test("begins each round a minute after the one before, however long that takes")
    func rounds() async throws {
        try await signIn(count: 2)
        world.time.advance(bySeconds: day)
        let times = LockedValue<[Date]>([])
        let transport = AppleTransport { [apple = world.apple] request, body in
            if request.path == ApplePath.token {
                times.withLock { $0.append(apple.time.now) }
                apple.time.advance(bySeconds: 8)
            }
            return try await apple.transport.send(request, body: body)
        }
        let validation = try world.validation(countPerMinute: 1, transport: transport)
        let running = Task { try await validation.run() }
        try await waitUntil {
            if times.withLock({ $0.count == 2 }) { return true }
            if world.time.sleeperCount == 1 { world.time.advance(bySeconds: 1) }
            return false
        }
        running.cancel()
        try await running.value
        let seconds = times.withLock { $0[1].timeIntervalSince($0[0]) }
        #expect((60...63).contains(seconds))
    }

    private func signIn(count: Int) async throws {
        for number in 0..<count {
            let email = "person\(number)@example.com"
            _ = try await world.apple.emulator.add(.person, ["email": .string(email)])
            _ = try await service.signIn(world.nativeRequest(for: email))
        }
    }

    @Test("is performed by one of two processes")
    func twoProcesses() async throws {
        _ = try await world.service().signIn(world.nativeRequest())
        world.time.advance(bySeconds: day)
        let validations = [try world.validation(), try world.validation()]
        await withTaskGroup { group in
            for validation in validations { group.addTask { await validation.validateDue() } }
        }
        #expect(await refreshes() == 1)
    }

    @Test("continues after the clock was set, and ends no session because of it")
    func clock() async throws {
        _ = try await service.signIn(world.nativeRequest())
        world.time.advance(bySeconds: 10 * day)
        try await world.validation().validateDue()
        #expect(await refreshes() == 1)
        world.time.advance(bySeconds: -9 * day)
        try await world.validation().validateDue()
        #expect(await refreshes() == 1)
        world.time.advance(bySeconds: 10 * day)
        try await world.validation().validateDue()
        #expect(await refreshes() == 2)
    }

    @Test("of a token whose key is missing ends nothing and logs it without the token")
    func keyGone() async throws {
        let receipt = try await service.signIn(world.nativeRequest())
        world.time.advance(bySeconds: day)
        let other = try TokenSealer(keys: TokenSealer.makeKey(identifier: "other"))
        try await world.validation(sealer: other).validateDue()
        #expect(await refreshes() == 0)
        #expect(await world.signedIn(receipt, in: service))
        #expect(world.log.text.contains("a refresh token cannot be decrypted"))
    }

    @Test("can't end a newer consent")
    func superseded() async throws {
        let receipt = try await service.signIn(world.nativeRequest())
        let export = try await service.export(of: receipt.session)
        let old = try #require(export.refreshTokens.first)
        world.time.advance(bySeconds: 60)
        let again = try await service.signIn(world.nativeRequest())
        let end = TokenEnd(account: again.account.id, token: old.id, now: world.time.now)
        #expect(try await world.sqlite.apply(end) == nil)
        #expect(await world.signedIn(again, in: service))
    }

    /// How often Apple was asked about a token, beside the codes that were redeemed.
    private func refreshes(codeCount: Int = 1) async -> Int {
        await world.apple.emulator.requests()
            .count { $0["path"]?.stringValue == ApplePath.token } - codeCount
    }
}

extension AccountsWorld {
    func validation(
        team: TeamID? = nil,
        sealer: TokenSealer? = nil,
        countPerMinute: Int = TokenValidationService.defaultCountPerMinute,
        transport: AppleTransport? = nil,
        randomUnit: @escaping @Sendable () -> Double = { 0 }
    ) throws -> TokenValidationService {
        TokenValidationService(
            store: sqlite,
            apple: AppleSignIn(
                configuration: try apple.signInConfiguration(
                    clientIDs: team == nil ? nil : ["com.example.juice"],
                    teamID: team
                ),
                transport: transport ?? apple.transport,
                time: time.source
            ),
            team: team,
            sealer: sealer ?? self.sealer,
            countPerMinute: countPerMinute,
            time: time.source,
            randomUnit: randomUnit,
            logger: logger
        )
    }
}
