import AppleEmulatorTesting
import AppleIdentity
import Foundation
import SimulatedAuthenticationServices
import TestSupport
import Testing

@testable import SignInKit

@Suite("The account, from the app", AppWorld.lending) struct AccountTests {
    private let world: AppWorld
    init() throws { world = try AppWorld.lending.value }

    private let password = "seven ripe oranges"

    @Test("The session's token opens the account for the app's own requests")
    func token() async throws {
        let client = try await world.launchSignedIn()
        let count = world.transport.requests.count
        let token = try await client.token()
        #expect(world.transport.requests.count == count)
        let url = try #require(URL(string: AppWorld.server + "/api/account"))
        let headers = ["Authorization": "Bearer " + token]
        let answer = try await world.transport.send(
            ServerRequest(method: "GET", url: url, headers: headers)
        )
        #expect(answer.status == 200)
    }

    @Test("The token is the device's: the server is not asked, and the account's answer ends it")
    func tokenWithoutServer() async throws {
        let nobody = try world.launch()
        #expect(try await kind { try await nobody.token() } == .notSignedIn)
        let client = try await world.launchSignedIn()
        let token = try await client.token()
        world.transport.network = .dead
        world.time.advance(bySeconds: 16 * 60)
        let requestCount = world.transport.requests.count
        #expect(try await world.launch().token() == token)
        #expect(try await client.token() == token)
        #expect(world.transport.requests.count == requestCount)
        world.transport.network = .up
        world.apple.advance(by: .seconds(91 * 86_400))
        #expect(try await kind { try await client.refreshAccount() } == .notSignedIn)
        #expect(await client.state == .signedOut(.ended))
        #expect(try await kind { try await client.token() } == .notSignedIn)
    }

    @Test("A session that was not used for longer than the server keeps it has expired")
    func expired() async throws {
        _ = try await world.launchSignedIn()
        world.apple.advance(by: .seconds(61 * 86_400))
        world.time.advance(bySeconds: 61 * 86_400)
        let launched = try await world.launchStarted()
        #expect(await launched.state == .signedOut(.expired))
        #expect(try await world.launchStarted().state == .signedOut())
    }

    @Test("A service's token is renewed after four minutes, when it must be, and with each session")
    func accessToken() async throws {
        let client = try await world.launchSignedIn()
        let first = try await client.accessToken(for: AppWorld.service)
        #expect(try await client.accessToken(for: AppWorld.service) == first)
        world.time.advance(bySeconds: 241)
        let second = try await client.accessToken(for: AppWorld.service)
        let long = try await client.accessToken(
            for: AppWorld.service,
            minimumLife: .seconds(600)
        )
        #expect(long != second)
        #expect(
            try await client.accessToken(for: AppWorld.service, forceRefresh: true) != long
        )
        #expect(second != first && second.split(separator: ".").count == 3)
        #expect(
            try await kind { try await client.accessToken(for: "other") }
                == .refused(code: "audience_unknown")
        )
        await client.signOut()
        #expect(
            try await kind { try await client.accessToken(for: AppWorld.service) } == .notSignedIn
        )
        world.device.script(.continue())
        _ = try await client.signInWithApple()
        #expect(try await client.accessToken(for: AppWorld.service) != second)
    }

    @Test("The name is changed and removed") func rename() async throws {
        let client = try await world.launchSignedIn()
        #expect(try await client.rename(to: "Maya L.").account.name == "Maya L.")
        #expect(try await client.refreshAccount().account.name == "Maya L.")
        #expect(try await client.rename(to: nil).account.name == nil)
        let name = PersonName(givenName: "Maya", familyName: "Sol")
        #expect(try await client.rename(to: name).account.familyName == "Sol")
        #expect(try await client.rename(to: PersonName()).account.name == nil)
        #expect(try await kind { try await client.rename(to: "") } == .refused(code: "name_empty"))
    }

    @Test("Sessions are listed and ended, one or all others") func sessions() async throws {
        let client = try world.launch()
        _ = try await client.createAccount(username: "maya", password: password, name: nil)
        for _ in 0..<2 {
            let other = try world.launch(credentials: MemoryCredentialStore())
            _ = try await other.signIn(username: "maya", password: password)
        }
        let all = try await client.sessions()
        #expect(all.count == 3 && all.count { $0.isCurrent } == 1)
        #expect(all.allSatisfy { $0.signInMethod == "password" })
        try await client.endSession(try #require(all.first { !$0.isCurrent }).id)
        #expect(try await client.sessions().count == 2)
        try await client.endOtherSessions()
        #expect(try await client.sessions().map(\.isCurrent) == [true])
        #expect(
            try await kind { try await client.endSession("../current") }
                == .refused(code: "session_not_found")
        )
    }

    @Test("An email address waits for its link, and is dropped on request")
    func email() async throws {
        let client = try await world.launchSignedIn()
        let changed = try await client.changeEmail(to: "maya@example.org")
        #expect(changed.account.pendingEmail == "maya@example.org")
        #expect(changed.account.email == AppWorld.maya)
        #expect(await client.state == .signedIn(changed))
        #expect(try await client.cancelEmailChange().account.pendingEmail == nil)
        let refusal = try await kind { try await client.changeEmail(to: "maya") }
        #expect(refusal == .refused(code: "email_invalid"))
    }

    @Test("A change of the email address shows Apple's sheet if the sign-in is long ago")
    func emailAfterFreshSignIn() async throws {
        let client = try await world.launchSignedIn()
        world.apple.advance(by: .seconds(11 * 60))
        world.device.script(.continue())
        let changed = try await client.changeEmail(to: "maya@example.org")
        #expect(changed.account.pendingEmail == "maya@example.org")
        #expect(world.device.shownSheets.count == 2)
    }

    @Test("A link for a forgotten password is sent without saying whether the account exists")
    func forgottenPassword() async throws {
        let client = try world.launch()
        try await client.requestPasswordReset(for: "nobody")
        #expect(world.transport.count("POST", "/api/password-resets") == 1)
        world.transport.network = .dead
        let failure = try await kind { try await client.requestPasswordReset(for: "nobody") }
        #expect(failure == .serverUnreachable)
    }

    @Test("A password is changed, and the wrong one refused") func changePassword() async throws {
        let client = try world.launch()
        _ = try await client.createAccount(username: "maya", password: password, name: nil)
        #expect(
            try await kind {
                try await client.changePassword(current: "wrong one", new: "eight ripe pears")
            } == .refused(code: "credentials_invalid")
        )
        try await client.changePassword(current: password, new: "eight ripe pears")
        await client.signOut()
        _ = try await client.signIn(username: "maya", password: "eight ripe pears")
    }

    @Test("Apple is linked with the name that it tells once, and taken away again")
    func link() async throws {
        let client = try world.launch()
        let made = try await client.createAccount(username: "maya", password: password, name: nil)
        world.device.script(.continue())
        let linked = try await client.linkApple()
        #expect(linked.account.id == made.account.id && linked.account.apple != nil)
        #expect(try await world.registrations().isEmpty)
        let without = try await client.unlinkApple()
        #expect(without.account.apple == nil && without.account.username == "maya")
        await client.start()
        #expect(await client.person?.account.id == made.account.id)
    }

    @Test("A link that the server could not make keeps the name for the next one")
    func failedLink() async throws {
        let client = try world.launch()
        _ = try await client.createAccount(username: "maya", password: password, name: nil)
        world.device.script(.continue())
        world.transport.network = .dead
        #expect(try await kind { try await client.linkApple() } == .serverUnreachable)
        #expect(try await world.registrations().map(\.name?.displayName) == ["Maya Lindgren"])
        world.transport.network = .up
        world.device.script(.continue())
        #expect(try await client.linkApple().account.name == "Maya Lindgren")
    }

    @Test("Deleting soon after the sign-in asks for nothing more") func deleteSoon() async throws {
        let client = try await world.launchSignedIn()
        try await client.deleteAccount()
        #expect(await client.state == .signedOut(.deleted))
        #expect(try await world.counts() == Counts(accounts: 0, sessions: 0))
        #expect(try await !world.keeps(.userIdentifier))
        #expect(try await !world.keeps(.profile))
    }

    @Test("Deleting long after the sign-in brings a fresh code by Apple's sheet first")
    func deleteLater() async throws {
        let client = try await world.launchSignedIn()
        world.apple.advance(by: .seconds(3600))
        world.device.script(.cancel)
        #expect(try await kind { try await client.deleteAccount() } == .canceled)
        #expect(await client.person != nil)
        world.device.script(.continue())
        try await client.deleteAccount()
        #expect(world.device.shownSheets.count == 3)
        #expect(try await world.counts().accounts == 0)
    }

    @Test("Without Apple, deleting long after the sign-in asks for the password")
    func deletePassword() async throws {
        let client = try world.launch()
        _ = try await client.createAccount(username: "maya", password: password, name: nil)
        world.apple.advance(by: .seconds(3600))
        #expect(try await kind { try await client.deleteAccount() } == .freshSignInRequired)
        _ = try await client.signIn(username: "maya", password: password)
        try await client.deleteAccount()
        #expect(try await world.counts().accounts == 0)
    }

    @Test("A fresh sign-in by another Apple Account is no proof")
    func anotherPerson() async throws {
        let client = try await world.launchSignedIn()
        try await world.device.signIn(email: AppWorld.noah, password: "apple")
        world.device.script(.continue())
        #expect(try await kind { try await client.requireFreshSignIn() } == .anotherPerson)
        #expect(await client.person?.account.name == "Maya Lindgren")
        #expect(try await world.registrations().map(\.name?.displayName) == ["Noah Okafor"])
        world.device.script(.continue())
        #expect(try await client.signInWithApple().account.name == "Noah Okafor")
    }
}
