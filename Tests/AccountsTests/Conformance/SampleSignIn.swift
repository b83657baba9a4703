import Accounts
import AppleIdentity
import Foundation

/// A sign-in as the service would hand it to a store; tests change one thing of it.
struct SampleSignIn {
    static let start = Date(timeIntervalSince1970: 1_769_000_000)

    var issuer = "https://appleid.apple.com"
    var user: UserID = "000001.maya"
    var clientID: ClientID = "com.example.juice"
    var name: String?
    var email: EmailAddress?
    var identityToken: String
    var nonce: NonceUse?
    var refreshToken: String?
    var previousToken: SessionToken?
    var maximumSessionCount = 100
    var now = start
    /// When the identity token was issued; at the time of the sign-in when nil.
    var issuedAt: Date?
    let session = SessionID.random()
    let token = SessionToken()

    init(identityToken: String = UUID().uuidString) {
        self.identityToken = identityToken
    }

    var attempt: SignInAttempt {
        SignInAttempt(
            issuer: issuer,
            user: user,
            name: name,
            tokenHash: SecretHash(of: identityToken),
            issuedAt: issuedAt ?? now,
            nonce: nonce,
            now: now
        )
    }

    var completion: SignInCompletion {
        SignInCompletion(
            attempt: attempt,
            clientID: clientID,
            email: email,
            tokenExpiresAt: now.addingTimeInterval(86_400),
            newAccountID: .random(),
            session: NewSession(
                id: session,
                tokenHash: token.hash,
                device: "Maya's phone",
                expiresAt: now.addingTimeInterval(3600)
            ),
            previousTokenHash: previousToken?.hash,
            maximumSessionCount: maximumSessionCount,
            sealRefreshToken: refreshToken.map(Self.seal)
        )
    }

    /// Shows what it was sealed for, in clear: the store must not care.
    private static func seal(_ token: String) -> @Sendable (AccountID) throws -> String {
        { account in "\(account)|\(token)" }
    }
}
