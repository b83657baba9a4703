import AccountStoreConformance
import AccountsSQLite
import AppleEmulator
import AppleEmulatorTesting
import AppleIdentity
import Foundation
import ServerTestSupport
import SignInWithApple
import Testing

@testable import Accounts

@Suite("Administration", AccountsWorld.lending) struct AdministrationTests {
    private let (world, service): (AccountsWorld, AccountsService)
    init() throws { (world, service) = try AccountsWorld.lent }

    private static let administrator = "root"

    @Test("finds accounts by name, email address and identifier, in any case, in pages")
    func search() async throws {
        var ids: [String: AccountID] = [:]
        for number in 1...7 {
            let sample = SampleSignIn(
                user: UserID("\(number)"),
                name: number == 7 ? "Noah Ünal" : AccountName("Maya \(number)"),
                email: .apple("Person\(number)@example.com"),
                now: SampleSignIn.start.addingTimeInterval(Double(number))
            )
            let account = try await world.sqlite.signIn(sample).signedIn.account
            ids["\(number)"] = account.id
        }
        func found(_ text: String) async throws -> [AccountID] {
            try await service.accounts(AccountQuery(text: text)).accounts.map(\.id)
        }
        #expect(try await found("").count == 7)
        #expect(try await found("nOAH üN") == [ids["7"]])
        #expect(try await found("person3@EXAMPLE") == [ids["3"]])
        let id = try #require(ids["5"])
        #expect(try await found(String(id.rawValue.prefix(20))) == [id])
        #expect(try await found("nobody").isEmpty)

        var pages: [[AccountID]] = []
        var next: AccountPosition?
        repeat {
            let page = try await service.accounts(AccountQuery(text: "maya", count: 3, after: next))
            pages.append(page.accounts.map(\.id))
            next = page.next
        } while next != nil && pages.count < 5
        #expect(pages.map(\.count) == [3, 3])
        #expect(Array(pages.joined()) == (1...6).reversed().compactMap { ids["\($0)"] })
        let since = SampleSignIn.start.addingTimeInterval(6)
        let new = try await service.accounts(AccountQuery(since: since)).accounts.map(\.id)
        #expect(new == [7, 6].compactMap { ids["\($0)"] })
    }

    @Test(
        "finds an account by its exact username, address or Apple identifier, and never by its name"
    )
    func naming() async throws {
        let world = world.withPasswords()
        let service = world.service()
        let victim = try await service.create("maria", name: "Maya", email: "maya@example.com")
        let attacker = try await service.create("eve", name: "maria")
        let apple = try await service.signIn(world.nativeRequest(for: "noah@example.com"))
        func found(_ text: String) async throws -> (ids: [AccountID], match: NamedAccounts.Match) {
            let found = try await service.accounts(named: text)
            return (found.accounts.map(\.id), found.match)
        }
        #expect(try await found("MARIA") == ([victim.account.id], .username))
        #expect(try await found("Maya@Example.com") == ([victim.account.id], .exact))
        let user = try #require(apple.account.apple?.person.user.rawValue)
        #expect(try await found(user) == ([apple.account.id], .exact))
        #expect(try await found("noah@example.com") == ([apple.account.id], .exact))
        #expect(try await found("May") == ([victim.account.id], .nameStart))
        #expect(try await found("aria") == ([], .nameStart))

        // An address as the username of somebody else is no reason to take that account.
        let other = try await service.create("maya@example.com")
        let both = try await found("maya@example.com")
        #expect(Set(both.ids) == [victim.account.id, other.account.id] && both.match == .exact)
        _ = attacker
    }

    @Test("finds the account among thousands whose names begin with the same text")
    func namesakes() async throws {
        for number in 1...1_500 {
            try await world.sqlite.signIn(
                SampleSignIn(user: UserID("\(number)"), name: AccountName("maria \(number)"))
            )
        }
        let world = world.withPasswords()
        let service = world.service()
        let maria = try await service.create("maria")
        let found = try await service.accounts(named: "maria")
        #expect(found.accounts.map(\.id) == [maria.account.id] && found.match == .username)
        #expect(try await service.accounts(named: "maria 1").accounts.count == 20)
    }

    @Test(
        "deletes an account as its user would: the session ends at once, with a revocation at Apple"
    )
    func deletion() async throws {
        let receipt = try await service.signIn(world.nativeRequest())
        world.time.advance(bySeconds: 86_400)
        let deletion = try await service.deleteAccount(receipt.account.id, by: Self.administrator)
        #expect(deletion?.revocationCount == 1)
        #expect(await !world.signedIn(receipt, in: service))
        #expect(try await world.worker().drain() == 1)
        #expect(await world.statuses(of: ApplePath.revoke) == [200])
        #expect(world.log.text.contains("account deleted"))
        #expect(world.log.text.contains("\"administrator\": root"), "\(world.log.text)")
        #expect(try await service.deleteAccount(receipt.account.id, by: Self.administrator) == nil)
    }

    @Test("deletes an account with the same last mail as a deletion by its user")
    func lastMail() async throws {
        let world = world.withPasswords()
        let service = world.service()
        let maya = try await service.createProved(in: world)
        let noah = try await service.create("noah", name: "Noah", email: "noah@example.com")
        _ = try await world.mails()
        let told = try await service.deleteAccount(maya.account.id, by: Self.administrator)
        #expect(told == AdministratorDeletion(revocationCount: 0, lastMail: .queued))
        let untold = try await service.deleteAccount(noah.account.id, by: Self.administrator)
        #expect(untold == AdministratorDeletion(revocationCount: 0, lastMail: .noAddress))
        let mails = try await world.mails()
        #expect(mails.map(\.kind) == [.accountDeleted])
        #expect(mails.map(\.address) == ["maya@example.com"])
        #expect(mails.map(\.language) == ["en"])
    }

    @Test("deletes an account without a mail when mail can't be encrypted or sent, and reports it")
    func withoutMail() async throws {
        let maya = try await service.signIn(world.nativeRequest())
        #expect(maya.account.emailDeliverable)
        let deletion = try await service.deleteAccount(maya.account.id, by: Self.administrator)
        #expect(deletion?.lastMail == .unavailable)
        #expect(try await world.mails().isEmpty)
    }

    @Test("ends one session or all sessions")
    func sessions() async throws {
        let first = try await service.signIn(world.nativeRequest())
        let second = try await service.signIn(world.webRequest())
        let id = first.account.id
        let wrong = try await service.endSession(first.session.id, of: "nobody", by: "root")
        #expect(!wrong)
        #expect(try await service.endSession(first.session.id, of: id, by: "root"))
        #expect(await !world.signedIn(first, in: service))
        #expect(await world.signedIn(second, in: service))
        #expect(try await service.endSessions(of: id, by: "root") == 1)
        #expect(await !world.signedIn(second, in: service))
        #expect(try await service.overview(of: id)?.sessions.isEmpty == true)
    }
}
