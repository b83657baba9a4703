import AccountsAccessTokens
import AppleEmulatorTesting
import Foundation
import SignInWithApple
import Testing

@Suite("Fixtures") struct FixtureTests {
    private let time = Date(timeIntervalSince1970: 1_770_000_000)

    @Test("An identity has the values of the test and an issuer that nobody accepts")
    func identity() throws {
        let hidden = try VerifiedIdentity.fixture(
            email: "a1@privaterelay.appleid.com",
            nonce: "n-1",
            realUserStatus: .likelyReal,
            transferUser: "1.b.2",
            organizationID: "school",
            issuedAt: time
        )
        #expect(hidden.issuer == "https://fixture.invalid" && hidden.userID == AppleFixture.userID)
        #expect(hidden.isPrivateEmail && hidden.isEmailVerified && hidden.nonce == "n-1")
        #expect(hidden.realUserStatus == .likelyReal && hidden.transferUser == "1.b.2")
        #expect(hidden.organizationID == "school" && hidden.authenticationTime == time)
        #expect(hidden.issuedAt == time && hidden.expirationTime > time)
        let without = try VerifiedIdentity.fixture(userID: "1.a.2", email: nil)
        #expect(without.email == nil && !without.isEmailVerified && without.userID == "1.a.2")
    }

    @Test("A sign-in has one identity") func signIn() throws {
        let identity = try VerifiedIdentity.fixture(userID: "1.a.2")
        let signIn = try VerifiedSignIn.fixture(
            identity: identity,
            name: PersonName(givenName: "Mia"),
            origin: .native,
            purpose: "link"
        )
        #expect(signIn.identity == identity && signIn.grant?.identity == identity)
        #expect(signIn.refreshToken == "fixture-refresh-token" && signIn.hasCode)
        #expect(signIn.name?.givenName == "Mia" && signIn.origin == .native)
        #expect(signIn.purpose == "link")
        let withoutCode = try VerifiedSignIn.fixture(refreshToken: nil)
        #expect(!withoutCode.hasCode && withoutCode.refreshToken == nil)
    }

    @Test("Notifications, access tokens and errors have the values of the test") func others()
        throws
    {
        let notification = try VerifiedNotification.fixture(
            .emailDisabled,
            email: "a1@privaterelay.appleid.com",
            eventTime: time
        )
        #expect(notification.event.kind == .emailDisabled && notification.event.eventTime == time)
        #expect(notification.event.email == "a1@privaterelay.appleid.com")
        #expect(
            notification.issuer == AppleFixture.issuer && notification.userID == AppleFixture.userID
        )
        #expect(
            try VerifiedNotification.fixture(.accountDeleted).notificationID
                != notification.notificationID
        )
        let token = try VerifiedAccessToken.fixture(accountID: "a-1", authenticationTime: time)
        #expect(token.accountID == "a-1" && token.sessionID == "fixture-session")
        #expect(token.authenticationMethods == ["fed"] && token.authenticationTime == time)
        let error = SignInError.fixture(.appleKeysUnavailable, retryAfter: .seconds(3))
        #expect(error.isRetryable && error.retryAfter == .seconds(3))
    }
}
