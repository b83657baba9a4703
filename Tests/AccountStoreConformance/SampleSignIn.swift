import AppleIdentity
import Foundation

@testable import Accounts

/// A sample sign-in, as the service passes it to a store; tests change one value.
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
    /// The identifier of the refresh token; nil to derive it from the token.
    package var refreshTokenID: RefreshTokenID?
    package var previousToken: SessionToken?
    package var maximumSessionCount = 100
    /// The only account that the sign-in may use.
    package var requiredAccount: AccountID?
    package var now: Date
    /// When the identity token was issued; nil for the time of the sign-in.
    package var issuedAt: Date?
    package var device = "Maya's phone"
    package var mail: QueuedMail?
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

    /// A sign-in from the app and one from its website, with the refresh tokens `native` and `web`.
    static func nativeAndWeb() -> (native: SampleSignIn, web: SampleSignIn) {
        (
            SampleSignIn(refreshToken: "native"),
            SampleSignIn(clientID: "com.example.juice.web", refreshToken: "web")
        )
    }

    package var person: ApplePerson { ApplePerson(issuer: issuer, user: user) }

    package var check: SignInCheck {
        SignInCheck(
            person: person,
            clientID: clientID,
            name: name,
            email: email,
            identityTokenHash: SecretHash(of: identityToken),
            identityTokenRememberedUntil: now.addingTimeInterval(86_400),
            issuedAt: issuedAt ?? now,
            nonce: nonce,
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
            mail: mail,
            now: now
        )
        opening.audit = audit
        return opening
    }

    private var sealedToken: RefreshToken? {
        refreshToken.map {
            // The token is not encrypted, which a store must not notice.
            RefreshToken(
                id: refreshTokenID ?? RefreshTokenID("id of \($0)"),
                clientID: clientID,
                sealedToken: $0,
                receivedAt: now
            )
        }
    }

    package var linking: AccountChange.Kind { .linkApple(check, sealedToken) }

    package var commit: SignInCommit {
        SignInCommit(
            check: check,
            refreshToken: sealedToken,
            newAccountID: newAccountID,
            opening: opening
        )
    }
}

extension EmailAddress {
    /// A verified email address from Apple.
    package static func apple(_ text: String) -> EmailAddress {
        let isRelay = text.hasSuffix("@privaterelay.appleid.com")
        return EmailAddress(text: text, isVerified: true, isPrivateRelay: isRelay)
    }
}
