import AppleIdentity
import Foundation

@testable import Accounts

extension AccountStoreConformance {
    static let signInChecks: [Check] = [
        Check("a first sign-in creates an account with name, email address and session") { store in
            let sample = SampleSignIn(name: "Maya 🥝 Ödegård", email: .apple("maya@example.com"))
            let (signedIn, isNewAccount) = try await store.signIn(sample)
            try expect(isNewAccount)
            try expect(
                signedIn.account
                    == Account(
                        id: signedIn.session.accountID,
                        name: "Maya 🥝 Ödegård",
                        email: sample.email,
                        apple: AppleLink(
                            person: sample.person,
                            clientID: "com.example.juice",
                            linkedAt: start,
                            consentedAt: start,
                            hasRefreshToken: false
                        ),
                        createdAt: start
                    )
            )
            try expect(signedIn.session.id == sample.session)
            try expect(signedIn.session.device == "Maya's phone")
            try expect(signedIn.session.signedInAt == start)
        },
        Check("a second sign-in finds the account and keeps its name") { store in
            let first = SampleSignIn(name: "Maya")
            let second = SampleSignIn(name: "Somebody else")
            let before = try await store.signIn(first)
            let after = try await store.signIn(second)
            try expect(!after.isNewAccount)
            try expect(after.signedIn.account == before.signedIn.account)
        },
        Check("a sign-in for a required account is refused for any other one") { store in
            let maya = try await store.signIn(SampleSignIn()).signedIn.account
            for user: UserID in ["000002.noah", "000003.newcomer"] {
                var other = SampleSignIn(user: user, name: "Noah")
                if user == "000002.noah" { try await store.signIn(other) }
                other.identityToken = "confirming \(user)"
                other.requiredAccount = maya.id
                try expect(try await store.beginSignIn(other.check) == .appleAccountMismatch)
                try expect(try await store.refusal(completing: other) == .appleAccountMismatch)
            }
            try expect(try await store.accounts(after: nil, maximumCount: 10).count == 2)
            var right = SampleSignIn()
            right.requiredAccount = maya.id
            let confirmed = try await store.signIn(right)
            try expect(!confirmed.isNewAccount && confirmed.signedIn.account.id == maya.id)
        },
        Check("a repeated web sign-in replaces its session once, within a minute") { store in
            let noahs = SampleSignIn(user: "000002.noah")
            try await store.signIn(noahs)
            let first = SampleSignIn()
            let opened = try await store.signIn(first).signedIn
            func comesAgain(after seconds: TimeInterval, replacing token: SessionToken) async throws
                -> Session?
            {
                var again = SampleSignIn(identityToken: first.identityToken)
                again.previousToken = token
                again.now = start.addingTimeInterval(seconds)
                var commit = again.commit
                commit.isRepetition = true
                guard
                    case .success(let signedIn) = try await store.completeSignIn(commit)
                else { return nil }
                try expect(signedIn.account.id == opened.account.id)
                return signedIn.session
            }
            let late = try await comesAgain(after: 61, replacing: first.token)
            let others = try await comesAgain(after: 1, replacing: noahs.token)
            let unknown = try await comesAgain(after: 1, replacing: SessionToken())
            try expect(late == nil && others == nil && unknown == nil)
            let second = try await comesAgain(after: 60, replacing: first.token)
            let third = try await comesAgain(after: 60, replacing: first.token)
            try expect(second != nil && third == nil)
            let left = try await store.sessions(of: opened.account.id, now: start)
            try expect(left.map(\.id) == [second?.id])
        },
        Check("the same user of another issuer is another account") { store in
            var other = SampleSignIn()
            other.issuer = "https://account.apple.com"
            let first = try await store.signIn(SampleSignIn())
            let second = try await store.signIn(other)
            try expect(second.isNewAccount)
            try expect(first.signedIn.account.id != second.signedIn.account.id)
        },
        Check("the same email address with another sub is another account") { store in
            let email = EmailAddress.apple("a@example.com")
            let first = SampleSignIn(email: email)
            let second = SampleSignIn(user: "000002.noah", email: email)
            let maya = try await store.signIn(first)
            let noah = try await store.signIn(second)
            try expect(noah.isNewAccount)
            try expect(maya.signedIn.account.id != noah.signedIn.account.id)
        },
        Check("the name of a sign-in that was not completed is used by the next one") { store in
            let lost = SampleSignIn(name: "Maya")
            try expect(try await store.beginSignIn(lost.check) == nil)
            try expect(try await store.signIn(SampleSignIn()).signedIn.account.name == "Maya")
        },
        Check("a pending name is used only for its own user") { store in
            let lost = SampleSignIn(name: "Maya")
            _ = try await store.beginSignIn(lost.check)
            let other = SampleSignIn(user: "000002.noah")
            try expect(try await store.signIn(other).signedIn.account.name == nil)
        },
        Check("an identity token is valid for one sign-in") { store in
            let sample = SampleSignIn(identityToken: "one")
            try await store.signIn(sample)
            let again = SampleSignIn(identityToken: "one")
            try expect(try await store.beginSignIn(again.check) == .tokenReplayed)
            try expect(try await store.refusal(completing: again) == .tokenReplayed)
            try expect(try await store.session(of: again) == nil)
        },
        Check("a name is stored with its parts, even if the sign-in was not completed") { store in
            let parts = PersonName(givenName: "건규", familyName: "박")
            let lost = SampleSignIn(name: AccountName(parts))
            _ = try await store.beginSignIn(lost.check)
            let found = try await store.signIn(SampleSignIn()).signedIn.account
            try expect(found.name?.text == "박건규")
            try expect(found.name == AccountName(parts))
            try expect(try await store.account(found.id) == found)
            let written = try await store.rename(found.id, to: "박건규")
            try expect(written?.name?.givenName == nil && written?.name?.familyName == nil)
            let named = try await store.rename(found.id, to: AccountName(parts))
            try expect(named?.name == AccountName(parts))
        },
        Check("a later token's email address replaces the earlier one") { store in
            let first = SampleSignIn(email: hidden("x1@privaterelay.appleid.com"))
            let second = SampleSignIn(email: .apple("a@example.com"))
            try await store.signIn(first)
            let changed = try await store.signIn(second).signedIn.account
            try expect(changed.email == second.email)
            try expect(try await store.signIn(SampleSignIn()).signedIn.account == changed)
        },
        Check("a relay address of another app does not replace a verified own one") { store in
            let shared = SampleSignIn(email: .apple("a@example.com"))
            let account = try await store.signIn(shared).signedIn.account
            var other = SampleSignIn()
            other.clientID = "com.example.smoothie"
            other.email = hidden("x1@privaterelay.appleid.com")
            let kept = try await store.signIn(other).signedIn.account
            try expect(kept.email == shared.email && kept.apple?.clientID == other.clientID)
            try expect(try await store.account(account.id) == kept)
        },
        Check("a link without a refresh token outlives the account at Apple") { store in
            let bare = try await store.signIn(SampleSignIn()).signedIn.account
            try expect(bare.appleLinkRemains)
            try expect(try await store.account(bare.id) == bare)
            let coded = SampleSignIn(refreshToken: "native")
            let tied = try await store.signIn(coded).signedIn.account
            try expect(!tied.appleLinkRemains)
            try expect(try await store.session(of: coded, now: coded.now)?.account == tied)
            let later = try await store.signIn(SampleSignIn()).signedIn.account
            try expect(!later.appleLinkRemains, "the earlier token was not kept")
        },
        Check("fifty sign-ins of a user at once create one account") { store in
            let answers = try await withThrowingTaskGroup { group in
                for index in 0..<50 {
                    group.addTask {
                        let sample = SampleSignIn(name: index == 25 ? "Maya" : nil)
                        return try await store.signIn(sample)
                    }
                }
                var answers: [(signedIn: SignedInSession, isNewAccount: Bool)] = []
                for try await answer in group { answers.append(answer) }
                return answers
            }
            try expect(Set(answers.map(\.signedIn.account.id)).count == 1)
            try expect(answers.count { $0.isNewAccount } == 1)
            try expect(Set(answers.map(\.signedIn.session.id)).count == 50)
        },
    ]

    private static func hidden(_ text: String) -> EmailAddress {
        EmailAddress(text: text, isVerified: true, isPrivateRelay: true)
    }
}
