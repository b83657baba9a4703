import Accounts
import AppleIdentity
import Foundation

extension AccountStoreConformance {
    static let signInChecks: [Check] = [
        Check(name: "a first sign-in makes an account with name, address and session") { store in
            var sample = SampleSignIn()
            sample.name = "Maya 🥝 Ödegård"
            sample.email = EmailAddress(
                text: "maya@example.com",
                isVerified: true,
                isPrivateRelay: false
            )
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
                            linkedAt: SampleSignIn.start,
                            consentedAt: SampleSignIn.start,
                            hasRefreshToken: false
                        ),
                        createdAt: SampleSignIn.start
                    )
            )
            try expect(signedIn.session.id == sample.session)
            try expect(signedIn.session.device == "Maya's phone")
            try expect(signedIn.session.signedInAt == SampleSignIn.start)
        },
        Check(name: "a second sign-in finds the account and keeps its name") { store in
            var first = SampleSignIn()
            first.name = "Maya"
            var second = SampleSignIn()
            second.name = "Somebody else"
            let before = try await store.signIn(first)
            let after = try await store.signIn(second)
            try expect(!after.isNewAccount)
            try expect(after.signedIn.account == before.signedIn.account)
        },
        Check(name: "a sign-in that may open one account only opens no other, and keeps nothing") {
            store in
            let maya = try await store.signIn(SampleSignIn()).signedIn.account
            for user: UserID in ["000002.noah", "000003.newcomer"] {
                var other = SampleSignIn()
                other.user = user
                other.name = "Noah"
                if user == "000002.noah" { try await store.signIn(other) }
                other.identityToken = "confirming \(user)"
                other.requiredAccount = maya.id
                let begun = try await store.beginSignIn(other.attempt)
                try expect(begun == .otherAccount)
                let completed = try await store.refusal(completing: other)
                try expect(completed == .otherAccount)
            }
            let accounts = try await store.accounts(after: nil, maximumCount: 10)
            try expect(accounts.count == 2)
            var right = SampleSignIn()
            right.requiredAccount = maya.id
            let confirmed = try await store.signIn(right)
            try expect(!confirmed.isNewAccount && confirmed.signedIn.account.id == maya.id)
        },
        Check(
            name:
                "a sign-in that comes twice replaces the session that it opened, once and for a minute"
        ) {
            store in
            var noahs = SampleSignIn()
            noahs.user = "000002.noah"
            try await store.signIn(noahs)
            let first = SampleSignIn()
            let opened = try await store.signIn(first).signedIn
            func comesAgain(after seconds: TimeInterval, replacing token: SessionToken) async throws
                -> Session?
            {
                var again = SampleSignIn(identityToken: first.identityToken)
                again.previousToken = token
                again.now = SampleSignIn.start.addingTimeInterval(seconds)
                var completion = again.completion
                completion.isRepetition = true
                guard
                    case .signedIn(let signedIn, false) = try await store.completeSignIn(completion)
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
            let left = try await store.sessions(of: opened.account.id, now: SampleSignIn.start)
            try expect(left.map(\.id) == [second?.id])
        },
        Check(name: "the issuer is half of the key") { store in
            var other = SampleSignIn()
            other.issuer = "https://account.apple.com"
            let first = try await store.signIn(SampleSignIn())
            let second = try await store.signIn(other)
            try expect(second.isNewAccount)
            try expect(first.signedIn.account.id != second.signedIn.account.id)
        },
        Check(name: "the same address with another sub is another account") { store in
            let email = EmailAddress(text: "a@example.com", isVerified: true, isPrivateRelay: false)
            var first = SampleSignIn()
            first.email = email
            var second = SampleSignIn()
            second.user = "000002.noah"
            second.email = email
            let maya = try await store.signIn(first)
            let noah = try await store.signIn(second)
            try expect(noah.isNewAccount)
            try expect(maya.signedIn.account.id != noah.signedIn.account.id)
        },
        Check(name: "a name from a sign-in that never ended is found by the next one") { store in
            var lost = SampleSignIn()
            lost.name = "Maya"
            let refusal = try await store.beginSignIn(lost.attempt)
            try expect(refusal == nil)
            let found = try await store.signIn(SampleSignIn())
            try expect(found.signedIn.account.name == "Maya")
        },
        Check(name: "a name waits for its own person only") { store in
            var lost = SampleSignIn()
            lost.name = "Maya"
            _ = try await store.beginSignIn(lost.attempt)
            var other = SampleSignIn()
            other.user = "000002.noah"
            let found = try await store.signIn(other)
            try expect(found.signedIn.account.name == nil)
        },
        Check(name: "an identity token is good for one sign-in") { store in
            let sample = SampleSignIn(identityToken: "one")
            try await store.signIn(sample)
            let again = SampleSignIn(identityToken: "one")
            let beginning = try await store.beginSignIn(again.attempt)
            try expect(beginning == .tokenReplayed)
            let completing = try await store.refusal(completing: again)
            try expect(completing == .tokenReplayed)
            let session = try await store.session(
                tokenHash: again.token.hash,
                now: SampleSignIn.start
            )
            try expect(session == nil)
        },
        Check(name: "a name is kept with its parts, also from a sign-in that never ended") {
            store in
            let parts = PersonName(givenName: "건규", familyName: "박")
            var lost = SampleSignIn()
            lost.name = AccountName(parts)
            _ = try await store.beginSignIn(lost.attempt)
            let found = try await store.signIn(SampleSignIn()).signedIn.account
            try expect(found.name?.text == "박건규")
            try expect(found.name == AccountName(parts))
            try expect(try await store.account(found.id) == found)
            let written = try await store.rename(found.id, to: "박건규")
            try expect(written?.name?.givenName == nil && written?.name?.familyName == nil)
            let named = try await store.rename(found.id, to: AccountName(parts))
            try expect(named?.name == AccountName(parts))
        },
        Check(name: "a later token's address replaces the earlier; none leaves it") { store in
            var first = SampleSignIn()
            first.email = hidden("x1@privaterelay.appleid.com")
            var second = SampleSignIn()
            second.email = EmailAddress(
                text: "a@example.com",
                isVerified: true,
                isPrivateRelay: false
            )
            try await store.signIn(first)
            let changed = try await store.signIn(second).signedIn.account
            try expect(changed.email == second.email)
            let kept = try await store.signIn(SampleSignIn()).signedIn.account
            try expect(kept == changed)
        },
        Check(name: "a hidden address of another app does not replace a confirmed own one") {
            store in
            var shared = SampleSignIn()
            shared.email = EmailAddress(
                text: "a@example.com",
                isVerified: true,
                isPrivateRelay: false
            )
            let account = try await store.signIn(shared).signedIn.account
            var other = SampleSignIn()
            other.clientID = "com.example.smoothie"
            other.email = hidden("x1@privaterelay.appleid.com")
            let kept = try await store.signIn(other).signedIn.account
            try expect(kept.email == shared.email && kept.apple?.clientID == other.clientID)
            try expect(try await store.account(account.id) == kept)
        },
        Check(name: "a link whose sign-ins brought no code outlives the account at Apple") {
            store in
            let bare = try await store.signIn(SampleSignIn()).signedIn.account
            try expect(bare.appleLinkRemains)
            try expect(try await store.account(bare.id) == bare)
            var coded = SampleSignIn()
            coded.refreshToken = "native"
            let tied = try await store.signIn(coded).signedIn.account
            try expect(!tied.appleLinkRemains)
            let session = try await store.session(tokenHash: coded.token.hash, now: coded.now)
            try expect(session?.account == tied)
            let later = try await store.signIn(SampleSignIn()).signedIn.account
            try expect(!later.appleLinkRemains, "the token of before is kept")
        },
        Check(name: "fifty sign-ins of one person at once make one account") { store in
            let answers = try await withThrowingTaskGroup { group in
                for index in 0..<50 {
                    group.addTask {
                        var sample = SampleSignIn()
                        sample.name = index == 25 ? "Maya" : nil
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
