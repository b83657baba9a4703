import AppleIdentity
import Foundation

@testable import Accounts

extension AccountStoreConformance {
    private static let recipient: TeamID = "OTHERTEAM1"
    private static let identifier: UserID = "000009.between"
    private static let newUser: UserID = "000002.maya"

    static let transferChecks: [Check] = [
        Check("a transfer is stored until the user is migrated to their new identifier") { store in
            let maya = SampleSignIn(email: relay("old"), refreshToken: "of the former team")
            let account = try await store.signIn(maya).signedIn.account
            try await expectBegun(.done, maya, in: store)
            try await expectBegun(.unchanged, maya, in: store)
            let onTheWay = try await store.transferState(of: account.id)
            try expect(onTheWay?.person == maya.person)
            try expect(onTheWay?.transfer?.identifier.user == identifier)
            try expect(onTheWay?.transfer?.team == recipient)

            try expect(try await store.transfer(arrival(email: relay("new"))) == .done)
            try expect(try await store.transfer(arrival(email: relay("new"))) == .unchanged)
            let arrived = try require(try await store.account(account.id))
            try expect(arrived.apple?.person.user == newUser)
            try expect(arrived.apple?.linkedAt == account.apple?.linkedAt)
            try expect(arrived.appleLinkRemains && !account.appleLinkRemains)
            try expect(arrived.email == relay("new"))
            let session = try await store.session(of: maya, now: maya.now)
            try expect(
                session?.account == arrived,
                "the session has the account before the migration"
            )
            let export = try require(try await store.export(account.id, now: maya.now))
            try expect(export.refreshTokens.isEmpty, "a token of the former team was kept")
            let state = try await store.transferState(of: account.id)
            try expect(state?.transfer == nil && state?.person.user == newUser)

            let again = SampleSignIn(user: newUser)
            let signedIn = try await store.signIn(again)
            try expect(!signedIn.isNewAccount && signedIn.signedIn.account.id == account.id)
        },
        Check("a migration requires a transfer and never takes another account") { store in
            try expect(try await store.transfer(arrival()) == .noAccount)
            try await expectBegun(.noAccount, SampleSignIn(), in: store)
            let maya = SampleSignIn()
            let first = try await store.signIn(maya).signedIn.account
            try await expectBegun(.done, maya, in: store)
            let second = SampleSignIn(user: newUser)
            let other = try await store.signIn(second).signedIn.account
            try expect(try await store.transfer(arrival()) == .otherAccount)
            try expect(try await store.account(first.id) == first)
            try expect(try await store.account(other.id) == other)
        },
        Check("transfers are listed in pages, in the order of the accounts") { store in
            var people: [AppleTransferState] = []
            for number in 0..<7 {
                var sample = SampleSignIn()
                sample.user = UserID("00000\(number).person")
                sample.clientID = ClientID("com.example.app\(number)")
                let account = try await store.signIn(sample).signedIn.account
                people.append(
                    AppleTransferState(
                        account: account.id,
                        person: sample.person,
                        clientID: sample.clientID,
                        transfer: nil
                    )
                )
            }
            var found: [AppleTransferState] = []
            repeat {
                let page = try await store.transferStates(
                    after: found.last?.account,
                    maximumCount: 3
                )
                found += page
                if page.count < 3 { break }
            } while true
            try expect(found == people.sorted { $0.account.rawValue < $1.account.rawValue })
        },
        Check("an unlinked Apple identity is not migrated to the account") { store in
            let maya = try await store.create()
            let apple = SampleSignIn()
            _ = try await store.change(link(apple, to: maya))
            try await expectBegun(.done, apple, in: store)
            let outcome = try await store.change(
                AccountChange(kind: .unlinkApple("entry"), caller: maya.caller(), now: apple.now)
            )
            let unlinked = try require(outcome.account)
            try expect(unlinked.apple == nil)
            let other = SampleSignIn(user: "000003.other")
            let linked = try await store.change(link(other, to: maya))
            try expect(linked.account?.apple?.person == other.person)
            try expect(try await store.transfer(arrival()) == .noAccount)
            try expect(try await store.account(unlinked.id) == linked.account)
        },
        Check("a token refused to the recipient ends nothing before the migration") { store in
            let maya = SampleSignIn(refreshToken: "of the former team")
            let account = try await store.signIn(maya).signedIn.account
            try await expectBegun(.done, maya, in: store)
            func end(requestedBy team: TeamID) async throws -> AccountID? {
                let token: RefreshTokenID = "id of of the former team"
                return try await store.apply(
                    TokenEnd(account: account.id, token: token, team: team, now: maya.now)
                )
            }
            try expect(try await end(requestedBy: recipient) == nil)
            let export = try require(try await store.export(account.id, now: maya.now))
            try expect(export.refreshTokens.count == 1 && export.sessions.count == 1)
            try expect(try await end(requestedBy: "JUICETEAM1") == account.id)
            try expect(try await store.account(account.id)?.apple?.revokedAt == maya.now)
        },
        Check("a deleted account has no transfer") { store in
            let maya = SampleSignIn()
            let account = try await store.signIn(maya).signedIn.account
            try await expectBegun(.done, maya, in: store)
            _ = try await store.deleteAccount(deletion(of: account.id, by: maya)).get()
            try expect(try await store.transferState(of: account.id) == nil)
            try expect(try await store.transfer(arrival()) == .noAccount)
        },
    ]

    private static func relay(_ name: String) -> EmailAddress {
        .apple("\(name)@privaterelay.appleid.com")
    }

    private static func arrival(email: EmailAddress? = nil) -> AppleTransferStep {
        let issuer = SampleSignIn().issuer
        return .arrive(
            identifier: ApplePerson(issuer: issuer, user: identifier),
            as: newUser,
            email: email
        )
    }

    private static func expectBegun(
        _ outcome: AppleTransferOutcome,
        _ sample: SampleSignIn,
        in store: AccountStore
    ) async throws {
        let step = AppleTransferStep.begin(sample.person, identifier: identifier, team: recipient)
        try expect(try await store.transfer(step) == outcome)
    }
}
