import Accounts
import AppleIdentity
import Foundation

/// A sign-in as the service would hand it to a store; tests change one thing of it.
package struct SampleSignIn: Sendable {
    package static let start = Date(timeIntervalSince1970: 1_769_000_000)

    package var issuer = "https://appleid.apple.com"
    package var user: UserID
    package var clientID: ClientID
    package var name: AccountName?
    package var email: EmailAddress?
    package var audit: AuditContext?
    package var identityToken: String
    package var nonce: NonceUse?
    package var refreshToken: String?
    /// What the refresh token is sealed for; made from it when nil.
    package var refreshTokenID: RefreshTokenID?
    package var previousToken: SessionToken?
    package var maximumSessionCount = 100
    /// The only account that the sign-in may open.
    package var requiredAccount: AccountID?
    package var now: Date
    /// When the identity token was issued; at the time of the sign-in when nil.
    package var issuedAt: Date?
    package var device = "Maya's phone"
    package var notice: MailNotice?
    package var newAccountID = AccountID.make(at: start)
    package let session = SessionID.make(at: start)
    package let token = SessionToken()

    package init(
        identityToken: String = UUID().uuidString,
        user: UserID = "000001.maya",
        clientID: ClientID = "com.example.juice",
        name: AccountName? = nil,
        email: EmailAddress? = nil,
        refreshToken: String? = nil,
        now: Date = start
    ) {
        self.identityToken = identityToken
        (self.user, self.clientID, self.name, self.email) = (user, clientID, name, email)
        (self.refreshToken, self.now) = (refreshToken, now)
    }

    /// One of the app and one of its website, each with a refresh token of that name.
    static func nativeAndWeb() -> (native: SampleSignIn, web: SampleSignIn) {
        (
            SampleSignIn(refreshToken: "native"),
            SampleSignIn(clientID: "com.example.juice.web", refreshToken: "web")
        )
    }

    package var person: ApplePerson { ApplePerson(issuer: issuer, user: user) }

    package var attempt: SignInAttempt {
        SignInAttempt(
            person: person,
            name: name,
            tokenHash: SecretHash(of: identityToken),
            issuedAt: issuedAt ?? now,
            nonce: nonce,
            emailKey: email.flatMap { $0.isVerified && !$0.isPrivateRelay ? $0.key : nil },
            requiredAccount: requiredAccount,
            now: now
        )
    }

    package var opening: SessionOpening {
        var opening = SessionOpening(
            newSession: NewSession(
                id: session,
                tokenHash: token.hash,
                device: device,
                expiresAt: now.addingTimeInterval(3600)
            ),
            previousTokenHash: previousToken?.hash,
            maximumSessionCount: maximumSessionCount,
            notice: notice,
            now: now
        )
        opening.audit = audit
        return opening
    }

    package var redeemed: RedeemedSignIn {
        RedeemedSignIn(
            attempt: attempt,
            clientID: clientID,
            email: email,
            tokenRememberedUntil: now.addingTimeInterval(86_400),
            refreshToken: refreshToken.map {
                // What it is sealed for is in clear: the store must not care.
                RefreshToken(
                    id: refreshTokenID ?? RefreshTokenID("id of \($0)"),
                    clientID: clientID,
                    sealedToken: $0,
                    receivedAt: now
                )
            }
        )
    }

    package var completion: SignInCompletion {
        SignInCompletion(apple: redeemed, newAccountID: newAccountID, opening: opening)
    }
}

extension EmailAddress {
    /// A verified address that Apple tells.
    package static func apple(_ text: String) -> EmailAddress {
        let isRelay = text.hasSuffix("@privaterelay.appleid.com")
        return EmailAddress(text: text, isVerified: true, isPrivateRelay: isRelay)
    }
}
