import AppleEmulator
import AppleEmulatorTesting
import AppleIdentity
import Foundation
import SignInWithApple
import Testing

@testable import Accounts

@Suite("Validation of refresh tokens while Apple is down", AccountsWorld.lending)
struct ValidationRetryTests {
    private let (world, service): (AccountsWorld, AccountsService)
    init() throws { (world, service) = try AccountsWorld.lent }

    private static let day: TimeInterval = 86_400
    private static let waits: [TimeInterval] =
        [300, 600, 1200, 2400] + Array(repeating: 3600, count: 8)

    @Test("is retried after delays that double up to an hour, and not a second earlier")
    func waits() async throws {
        _ = try await world.service().signIn(world.nativeRequest())
        let validation = try world.validation()
        world.time.advance(bySeconds: Self.day)
        try await world.breakApple()
        await validation.validateDue()
        var asked = await world.tokenRequestCount()
        for wait in Self.waits {
            world.time.advance(bySeconds: wait - 1)
            await validation.validateDue()
            #expect(await world.tokenRequestCount() == asked, "before \(wait) seconds")
            world.time.advance(bySeconds: 1)
            await validation.validateDue()
            let count = await world.tokenRequestCount()
            #expect(count > asked, "after \(wait) seconds")
            asked = count
        }
        // Then it waits for its next day, and begins with the first wait.
        world.time.advance(bySeconds: Self.day - 1)
        await validation.validateDue()
        #expect(await world.tokenRequestCount() == asked)
        world.time.advance(bySeconds: 1)
        await validation.validateDue()
        #expect(await world.tokenRequestCount() > asked)
        asked = await world.tokenRequestCount()
        world.time.advance(bySeconds: 300)
        await validation.validateDue()
        #expect(await world.tokenRequestCount() > asked)
    }

    @Test("succeeds soon after Apple is back, and does not call again that day")
    func back() async throws {
        let maya = try await service.signIn(world.nativeRequest())
        let noah = try await service.signIn(world.nativeRequest(for: "noah@example.com"))
        let validation = try world.validation()
        world.time.advance(bySeconds: Self.day)
        try await world.apple.emulator.stopUsing("maya@example.com", clientID: "com.example.juice")
        try await world.breakApple()
        await validation.validateDue()
        #expect(await world.signedIn(maya, in: service))
        await world.apple.emulator.clearFaults()
        world.time.advance(bySeconds: 300)
        await validation.validateDue()
        #expect(await !world.signedIn(maya, in: service))
        #expect(await world.signedIn(noah, in: service))
        let asked = await world.tokenRequestCount()
        world.time.advance(bySeconds: Self.day - 1)
        await validation.validateDue()
        #expect(await world.tokenRequestCount() == asked)
    }

    @Test("shortens a delay by up to a random quarter")
    func jitter() async throws {
        _ = try await world.service().signIn(world.nativeRequest())
        let validation = try world.validation(randomUnit: { 1 })
        world.time.advance(bySeconds: Self.day)
        try await world.breakApple()
        await validation.validateDue()
        let asked = await world.tokenRequestCount()
        world.time.advance(bySeconds: 224)
        await validation.validateDue()
        #expect(await world.tokenRequestCount() == asked)
        world.time.advance(bySeconds: 1)
        await validation.validateDue()
        #expect(await world.tokenRequestCount() > asked)
    }

    @Test("counts a limited number of tokens; any more wait for the next day")
    func tokenLimit() {
        let retries = ValidationRetries { 0 }
        for number in 0..<ValidationRetries.maximumTokenCount {
            #expect(retries.delay(afterFailureOf: RefreshTokenID("\(number)")) == 300)
        }
        #expect(retries.delay(afterFailureOf: "one more") == nil)
        #expect(retries.delay(afterFailureOf: "0") == 600)
        retries.forget("0")
        #expect(retries.delay(afterFailureOf: "one more") == 300)
    }
}

extension AccountsWorld {
    fileprivate func breakApple() async throws {
        _ = try await apple.emulator.addFault(["endpoint": "token", "status": 500, "count": 999])
    }

    fileprivate func tokenRequestCount() async -> Int {
        await apple.emulator.requests().count { $0["path"]?.stringValue == ApplePath.token }
    }
}
