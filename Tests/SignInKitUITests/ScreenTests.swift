import AppleIdentity
import Foundation
import SignInKit
import SignInKitUI
import Testing

/// What the screens show, decided without any of them.
@Suite struct ScreenTests {
    private static let account = AccountProfile(
        id: "1",
        name: "Maya Lindgren",
        email: "maya@example.com",
        emailIsVerified: true,
        createdAt: Date(timeIntervalSince1970: 1_800_000_000)
    )
    private static let person = SignedInPerson(account: account, isConfirmed: true)

    private static func apple(revokedAt: Date? = nil) -> AccountProfile.Apple {
        AccountProfile.Apple(
            user: "000001.a.0001",
            clientID: "com.example.juice",
            linkedAt: account.createdAt,
            revokedAt: revokedAt
        )
    }

    @Test func eachStateHasItsScreen() {
        let before = ShownScreen.launching
        #expect(ShownScreen(.signedOut, after: before) == .signIn)
        #expect(ShownScreen(.signedIn(Self.person), after: before) == .content(Self.person))
        #expect(ShownScreen(.needsAttention(.revoked), after: before) == .attention(.revoked))
    }

    @Test func aSignInUnderWayLeavesThePersonWhereTheyAre() {
        for shown in [.signIn, .content(Self.person), .attention(.sessionEnded)] as [ShownScreen] {
            #expect(ShownScreen(.signingIn, after: shown) == shown)
        }
        #expect(ShownScreen(.signingIn, after: .launching) == .signIn)
    }

    @Test func onlyAPendingRegistrationIsSolvedByTryingAgain() {
        let all: [Attention] = [
            .revoked, .transferred, .anotherPerson, .sessionEnded, .registrationPending,
        ]
        #expect(all.filter(\.isSolvedByTryingAgain) == [.registrationPending])
        #expect(Set(all.map(\.title)).count == all.count)
        #expect(Set(all.map(\.sentence)).count == all.count)
    }

    @Test func theFormsFieldsFollowEachOther() {
        let signIn = PasswordForm()
        #expect(signIn.next(after: .username) == .password)
        #expect(signIn.next(after: .password) == nil)
        let create = PasswordForm(purpose: .createAccount)
        #expect(create.fields == [.name, .username, .password])
        #expect(create.next(after: .name) == .username)
    }

    @Test func theFormIsSentWithoutBlanksAroundAndNotWithoutContent() {
        var form = PasswordForm(purpose: .createAccount)
        #expect(!form.canBeSent)
        form.username = "  "
        form.password = " secret "
        #expect(!form.canBeSent)
        form.username = " maya "
        form.name = " "
        #expect(form.canBeSent)
        #expect(form.sentUsername == "maya")
        #expect(form.sentName == nil)
        form.name = " Maya "
        #expect(form.sentName == "Maya")
        form.purpose = .signIn
        #expect(form.sentName == nil)
    }

    @Test func aStoredPasswordFillsTheFormForSigningIn() {
        var form = PasswordForm(purpose: .createAccount)
        form.fill(with: StoredPassword(user: "maya", password: "secret"))
        #expect(form.purpose == .signIn)
        #expect(form.username == "maya")
        #expect(form.password == "secret")
    }

    @Test func noPrintingShowsThePassword() {
        var form = PasswordForm()
        form.password = "hunter2"
        var dumped = ""
        dump(form, to: &dumped)
        #expect(!(dumped + "\(form)" + String(reflecting: form)).contains("hunter2"))
    }

    @Test func anAddressIsExplained() {
        var account = Self.account
        #expect(AccountFacts(account).addressNote == nil)
        account.emailIsVerified = false
        #expect(AccountFacts(account).addressNote == .unproved)
        account.emailIsPrivateRelay = true
        account.emailDeliverable = true
        #expect(AccountFacts(account).addressNote == .relay)
        account.emailDeliverable = false
        #expect(AccountFacts(account).addressNote == .relayOff)
        account.email = nil
        #expect(AccountFacts(account).addressNote == nil)
    }

    @Test func theLastWayInStays() {
        var account = Self.account
        account.apple = Self.apple()
        #expect(AccountFacts(account).usesApple)
        #expect(!AccountFacts(account).canUnlinkApple)
        account.username = "maya"
        #expect(AccountFacts(account).canUnlinkApple)
        account.apple = Self.apple(revokedAt: account.createdAt)
        #expect(!AccountFacts(account).usesApple)
        #expect(!AccountFacts(account).canUnlinkApple)
    }

    @Test func somethingStandsForAMissingName() {
        var account = Self.account
        account.name = nil
        #expect(AccountFacts(account).name == "No name")
        account.username = "maya"
        #expect(AccountFacts(account).name == "maya")
    }
}
