import AppleEmulator
import AppleEmulatorTesting
import AppleIdentity
import Foundation
import SignInWithApple
import Testing

/// A user's refresh tokens between sign-in, notification and deletion, at an emulator of Apple.
@Suite struct AppleTokensTests {
    @Test func dailyValidationAsksOncePerDay() async throws {
        try await withTokens { world in
            try await world.signIn()
            for _ in 0..<3 { await world.tokens.processDue() }
            #expect(await world.count("/auth/token") == 1)
            world.apple.advance(by: .seconds(86_401))
            for _ in 0..<3 { await world.tokens.processDue() }
            #expect(await world.count("/auth/token") == 2)
            #expect(world.ended.withLock(\.self).isEmpty)
        }
    }

    /// A wrong key, a removed client or a transfer says nothing about the user.
    @Test func refusalEndsNobody() async throws {
        try await withTokens { world in
            try await world.signIn()
            try await world.apple.fail(.token, status: 400, body: #"{"error": "invalid_client"}"#)
            world.apple.advance(by: .seconds(86_401))
            await world.tokens.processDue()
            #expect(world.store.refusedCount() == 1)
            #expect(world.ended.withLock(\.self).isEmpty)
            world.apple.advance(by: .seconds(86_401))
            await world.tokens.processDue()
            #expect(world.store.refusedCount() == 0)
        }
    }

    @Test func outageIsRetriedWithinTheHour() async throws {
        try await withTokens { world in
            try await world.signIn()
            try await world.apple.fail(.token)
            world.apple.advance(by: .seconds(86_401))
            await world.tokens.processDue()
            world.apple.advance(by: .seconds(300))
            await world.tokens.processDue()
            #expect(await world.count("/auth/token") == 3)
        }
    }

    @Test func tokenOfAnotherKeyEndsNobodyAndIsKept() async throws {
        try await withTokens { world in
            let user = try await world.signIn()
            let other = world.service(try TokenSealer(keys: TokenSealer.makeKey(identifier: "k2")))
            try await other.queueRevocations(of: user, in: world.store)
            await other.processDue()
            #expect(world.store.refusedCount() == 1)
            world.apple.advance(by: .seconds(6 * 3_600))
            await world.tokens.processDue()
            #expect(await world.count("/auth/revoke") == 1)
        }
    }

    @Test func identityTokenFromBeforeTheDeletionIsRefused() async throws {
        try await withTokens { world in
            let grant = try await world.grant()
            try await world.tokens.keep(grant.refreshToken, of: grant.identity, in: world.store)
            world.apple.advance(by: .seconds(1))
            try await world.tokens.queueRevocations(of: grant.identity.userID, in: world.store)
            let error = await #expect(throws: RefusedSignIn.self) {
                try await world.tokens.keep(nil, of: grant.identity, in: world.store)
            }
            #expect(error?.code.rawValue == "consent_revoked")
            #expect(error?.status == .unauthorized)
            world.apple.advance(by: .seconds(1))
            try await world.signIn()
        }
    }

    /// A sign-in without a code has no refresh token of its own.
    @Test func signInWithoutCodeTakesOverTheWaitingToken() async throws {
        try await withTokens { world in
            let user = try await world.signIn()
            try await world.tokens.queueRevocations(of: user, in: world.store)
            world.apple.advance(by: .seconds(2))
            let identity = try await world.grant().identity
            try await world.tokens.keep(nil, of: identity, in: world.store)
            await world.tokens.processDue()
            #expect(await world.count("/auth/revoke") == 0)
            try await world.tokens.queueRevocations(of: user, in: world.store)
            await world.tokens.processDue()
            #expect(await world.count("/auth/revoke") == 1)
        }
    }

    @Test func signInWithCodeReplacesTheWaitingTokenOfItsClient() async throws {
        try await withTokens { world in
            let user = try await world.signIn()
            try await world.tokens.queueRevocations(of: user, in: world.store)
            world.apple.advance(by: .seconds(2))
            try await world.signIn()
            try await world.tokens.queueRevocations(of: user, in: world.store)
            await world.tokens.processDue()
            #expect(await world.count("/auth/revoke") == 1)
        }
    }

    @Test func notificationIsHandledOnce() async throws {
        try await withTokens { world in
            try await world.signIn()
            try await world.apple.emulator.stopUsing(World.maya, clientID: World.client)
            let notification = try await world.notification()
            let event = try await world.tokens.handle(notification, in: world.store)
            #expect(event?.kind == .consentRevoked)
            #expect(try await world.tokens.handle(notification, in: world.store) == nil)
            // Apple has revoked the token itself.
            world.apple.advance(by: .seconds(2 * 86_400))
            await world.tokens.processDue()
            #expect(await world.count("/auth/token") == 1)
        }
    }

    @Test func notificationOfAnEarlierConsentIsIgnored() async throws {
        try await withTokens { world in
            try await world.signIn()
            try await world.apple.emulator.stopUsing(World.maya, clientID: World.client)
            let late = try await world.notification()
            world.apple.advance(by: .seconds(60))
            try await world.signIn()
            #expect(try await world.tokens.handle(late, in: world.store) == nil)
            world.apple.advance(by: .seconds(86_401))
            await world.tokens.processDue()
            #expect(world.ended.withLock(\.self).isEmpty)
        }
    }

    /// Notifications about mail may arrive in another order.
    @Test func olderEventAboutMailIsIgnored() async throws {
        try await withTokens { world in
            _ = try await world.apple.credentials(hidesEmail: true)
            var notifications: [VerifiedNotification] = []
            for isForwarded in [false, true] {
                world.apple.advance(by: .seconds(60))
                try await world.apple.emulator
                    .setForwarding(World.maya, clientID: World.client, enabled: isForwarded)
                notifications.append(try await world.notification())
            }
            let later = try await world.tokens.handle(notifications[1], in: world.store)
            #expect(later?.kind == .emailEnabled)
            #expect(try await world.tokens.handle(notifications[0], in: world.store) == nil)
        }
    }

    @Test func eventOfAStrangerIsRememberedForAMonth() async throws {
        try await withTokens { world in
            try await world.signIn()
            let store = try DemoAppleTokenStore()
            try await world.apple.emulator.deletePerson(World.maya)
            let notification = try await world.notification()
            _ = try await world.tokens.handle(notification, in: store)
            #expect(store.dueRecords(at: .distantFuture, maximumCount: 9).count == 1)
            let service = world.service(try World.sealer(), store)
            world.apple.advance(by: .seconds(31 * 86_400))
            await service.processDue()
            #expect(store.dueRecords(at: .distantFuture, maximumCount: 9).isEmpty)
        }
    }

    /// The user stops using the app after sign-ins in the app and on the web site, and no notification arrives.
    @Test(arguments: [false, true])
    func endOfConsentIsNoticedWithTwoClients(isAppFirst: Bool) async throws {
        try await withTokens { world in
            let clients = [World.client, World.site]
            for client in isAppFirst ? clients : clients.reversed() {
                try await world.signIn(client)
                world.apple.advance(by: .seconds(10 * 86_400 + 3_600))
                await world.tokens.processDue()
            }
            try await world.apple.emulator.stopUsing(World.maya, clientID: World.client)
            for _ in 0..<26 {
                world.apple.advance(by: .seconds(3_600))
                await world.tokens.processDue()
            }
            #expect(world.ended.withLock(\.self).count == 1)
        }
    }

    @Test func unreadableRecordIsSetAside() async throws {
        try await withTokens { world in
            let user = try await world.signIn()
            let unreadable = AppleTokenRecord(
                person: "0",
                version: "0",
                dueAt: .distantPast,
                isRefused: false,
                content: "{"
            )
            #expect(try world.store.replace(nil, with: unreadable))
            try await world.tokens.queueRevocations(of: user, in: world.store)
            await world.tokens.processDue()
            #expect(await world.count("/auth/revoke") == 1)
            #expect(world.store.record(of: "0")?.content == "{")
            #expect(world.store.refusedCount() == 1)
        }
    }

    @Test func signInReplacesAnUnreadableRecord() async throws {
        try await withTokens { world in
            let user = try await world.signIn()
            let record = try #require(world.record)
            let unreadable = AppleTokenRecord(
                person: record.person,
                version: "0",
                dueAt: .distantPast,
                isRefused: false,
                content: "{"
            )
            #expect(try world.store.replace(record, with: unreadable))
            await world.tokens.processDue()
            try await world.signIn()
            #expect(world.store.refusedCount() == 0)
            try await world.tokens.queueRevocations(of: user, in: world.store)
            await world.tokens.processDue()
            #expect(await world.count("/auth/revoke") == 1)
        }
    }

    @Test func forgottenUserLeavesNoRecord() async throws {
        try await withTokens { world in
            let user = try await world.signIn()
            try await world.tokens.forget(user, in: world.store)
            #expect(world.record == nil)
        }
    }

    /// The database of a deleted account keeps no identifier of the user.
    @Test func recordOfADeletedUserHasOnlyAHash() async throws {
        try await withTokens { world in
            let user = try await world.signIn()
            #expect(world.record?.content.contains(user.rawValue) == true)
            try await world.tokens.queueRevocations(of: user, in: world.store)
            #expect(world.record?.content.contains(user.rawValue) == false)
            await world.tokens.processDue()
            #expect(world.record?.content.contains("sealedToken") == false)
        }
    }

    /// The service processes what is due, until it is cancelled.
    @Test func runsUntilItIsCancelled() async throws {
        try await withTokens { world in
            let user = try await world.signIn()
            try await world.tokens.queueRevocations(of: user, in: world.store)
            let task = Task { try await world.tokens.run() }
            while await world.count("/auth/revoke") == 0 { await Task.yield() }
            task.cancel()
            try await task.value
        }
    }

    private func withTokens(_ test: @Sendable (World) async throws -> Void) async throws {
        try await withAppleEmulator { try await test(World($0)) }
    }
}

private struct World: Sendable {
    static let maya = "maya@example.com"
    static let client: ClientID = "com.example.juice"
    static let site: ClientID = "com.example.juice.web"

    let apple: TestApple
    let signIn: AppleSignIn
    let store: DemoAppleTokenStore
    let ended = LockedValue<[UserID]>([])
    private let sealer: TokenSealer

    init(_ apple: TestApple) throws {
        self.apple = apple
        signIn = try apple.signIn()
        store = try DemoAppleTokenStore()
        sealer = try Self.sealer()
    }

    static func sealer() throws -> TokenSealer {
        try TokenSealer(keys: TokenSealer.makeKey(identifier: "k1"))
    }

    var tokens: AppleTokens<DemoAppleTokenStore> { service(sealer) }
    var record: AppleTokenRecord? {
        store.dueRecords(at: .distantFuture, maximumCount: 1).first
    }

    func service(
        _ sealer: TokenSealer,
        _ store: DemoAppleTokenStore? = nil
    ) -> AppleTokens<DemoAppleTokenStore> {
        AppleTokens(signIn, store: store ?? self.store, sealer: sealer) { [ended] user, _, _ in
            ended.withLock { $0.append(user) }
        }
    }

    func grant(_ client: ClientID = client) async throws -> AppleGrant {
        guard client == Self.client else { return try await webGrant() }
        let credential = try await apple.credentials(nonce: "n-1")
        return try await signIn.signIn(
            identityToken: credential.identityToken,
            code: credential.authorizationCode,
            nonce: .raw("n-1")
        )
    }

    private func webGrant() async throws -> AppleGrant {
        let start = signIn.beginWebSignIn(
            clientID: Self.site,
            redirectURI: "https://juice.example.com/sign-in/apple/callback"
        )
        let callback = try await apple.authorize(start.authorizationURL)
        let verified = try await signIn.finishWebSignIn(
            AuthorizationCallback(formBody: callback.formBody),
            pending: start.pending
        )
        return try await signIn.exchange(try #require(verified))
    }

    @discardableResult
    func signIn(_ client: ClientID = client) async throws -> UserID {
        let grant = try await grant(client)
        try await tokens.keep(grant.refreshToken, of: grant.identity, in: store)
        return grant.identity.userID
    }

    func notification() async throws -> VerifiedNotification {
        var bodies: [Data] = []
        await apple.deliverNotifications {
            bodies.append($0)
            return 200
        }
        return try await signIn.notification(from: try #require(bodies.last))
    }

    func count(_ path: String) async -> Int {
        await apple.requests.count { $0.path == path }
    }
}
