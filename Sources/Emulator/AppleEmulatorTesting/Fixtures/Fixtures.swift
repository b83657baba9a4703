import AccountsAccessTokens
import AppleIdentity
import Foundation
import HTTPTypes
import SignInWithApple

/// The values that fixtures have in common.
public enum AppleFixture {
    /// The issuer of each fixture, from which no verifier accepts a token.
    public static let issuer = "https://fixture.invalid"
    /// The user of a fixture, unless a test names another.
    public static let userID: UserID = "000001.00000000000000000000000000000001.0001"
    /// The time of a fixture, at which an emulator's clock begins too, unless a test names another.
    public static let time = Date(timeIntervalSince1970: 1_769_000_000)
    /// The client of a fixture, unless a test names another.
    public static let clientID: ClientID = "com.example.fixture"

    static func claims(of subject: String, for audience: String, at time: Date) -> JSONObject {
        [
            "iss": .string(issuer), "aud": .string(audience), "sub": .string(subject),
            "iat": .integer(Int(time.timeIntervalSince1970)),
            "exp": .integer(Int(time.timeIntervalSince1970) + 86_400),
        ]
    }

    /// Reads claims as a verifier does.
    static func read<Claims>(
        _ claims: JSONObject,
        _ body: (Data) throws -> Claims
    ) throws(TestAppleError) -> Claims {
        do {
            return try body(claims.data)
        } catch {
            throw TestAppleError("Apple can't send a value of this fixture: \(error)")
        }
    }
}

extension VerifiedIdentity {
    /// Creates an identity that nobody verified, for a test of your own functions.
    ///
    /// - Parameters:
    ///   - userID: the user's identifier in the developer team.
    ///   - clientID: the client that the user signed in to.
    ///   - email: the email address; nil if the user has none or did not share it.
    ///   - isEmailVerified: whether Apple verified the address.
    ///   - isPrivateEmail: whether it is a relay address; nil leaves it to the domain.
    ///   - nonce: the nonce of the token.
    ///   - realUserStatus: Apple's estimate, which only apps get.
    ///   - transferUser: the transfer identifier during the app's transfer.
    ///   - organizationID: the organization of a Managed Apple Account.
    ///   - issuedAt: when the token was issued and the user authenticated.
    /// - Returns: an identity with the issuer ``AppleFixture/issuer``.
    /// - Throws: ``TestAppleError`` if Apple can't send a value.
    public static func fixture(
        userID: UserID = AppleFixture.userID,
        clientID: ClientID = AppleFixture.clientID,
        email: String? = "maya@example.com",
        isEmailVerified: Bool = true,
        isPrivateEmail: Bool? = nil,
        nonce: String? = nil,
        realUserStatus: RealUserStatus? = nil,
        transferUser: UserID? = nil,
        organizationID: String? = nil,
        issuedAt: Date = AppleFixture.time
    ) throws -> VerifiedIdentity {
        var claims = AppleFixture.claims(of: userID.rawValue, for: clientID.rawValue, at: issuedAt)
        claims["email"] = email.map { .string($0) }
        claims["email_verified"] = email.map { _ in .boolean(isEmailVerified) }
        claims["is_private_email"] = isPrivateEmail.map { .boolean($0) }
        claims["auth_time"] = claims["iat"]
        claims["nonce"] = nonce.map { .string($0) }
        claims["real_user_status"] = realUserStatus.map { .integer($0.rawValue) }
        claims["transfer_sub"] = transferUser.map { .string($0.rawValue) }
        claims["org_id"] = organizationID.map { .string($0) }
        return try VerifiedIdentity(
            AppleFixture.read(claims, IdentityTokenClaims.init(parsing:)),
            clientID: clientID,
            relayDomains: .apple
        )
    }
}

extension AppleGrant {
    /// Creates tokens that Apple did not issue, for a test of your own functions.
    ///
    /// - Parameters:
    ///   - identity: the identity of the user; nil is that of a fixture.
    ///   - refreshToken: the refresh token; nil as after a refresh.
    ///   - nextCheck: when to validate the refresh token; nil is a day after the identity's token.
    /// - Returns: the tokens, which Apple and the emulator refuse.
    /// - Throws: ``TestAppleError`` if Apple can't send a value.
    public static func fixture(
        identity: VerifiedIdentity? = nil,
        refreshToken: String? = "fixture-refresh-token",
        nextCheck: Date? = nil
    ) throws -> AppleGrant {
        let identity = try identity ?? .fixture()
        return AppleGrant(
            identity: identity,
            accessToken: "fixture-access-token",
            accessTokenExpirationTime: identity.issuedAt.addingTimeInterval(3_600),
            refreshToken: refreshToken,
            nextCheck: nextCheck ?? identity.issuedAt.addingTimeInterval(86_400)
        )
    }
}

extension VerifiedSignIn {
    /// Creates a sign-in that nobody verified, for a test of your own `onSignIn`.
    ///
    /// - Parameters:
    ///   - identity: the identity of the user; nil is that of a fixture.
    ///   - name: the name that the user entered; nil as at each later sign-in.
    ///   - isNameSuggested: whether the name comes from an earlier, failed sign-in.
    ///   - origin: where the user signed in.
    ///   - returnPath: the page to which the browser returns; nil for an app.
    ///   - previousSessionToken: the token of the client's session before the sign-in.
    ///   - purpose: the purpose of a web sign-in; nil for one that opens a session.
    ///   - request: the request with the sign-in.
    ///   - refreshToken: the refresh token; nil as without a code.
    /// - Returns: the sign-in.
    /// - Throws: ``TestAppleError`` if Apple can't send a value.
    public static func fixture(
        identity: VerifiedIdentity? = nil,
        name: PersonName? = nil,
        isNameSuggested: Bool = false,
        origin: Origin = .web,
        returnPath: String? = nil,
        previousSessionToken: String? = nil,
        purpose: String? = nil,
        request: HTTPRequest = HTTPRequest(method: .post, scheme: nil, authority: nil, path: "/"),
        refreshToken: String? = "fixture-refresh-token"
    ) throws -> VerifiedSignIn {
        let identity = try identity ?? .fixture()
        var signIn = VerifiedSignIn(
            identity: identity,
            identityToken: "fixture-identity-token",
            nonce: identity.nonce,
            name: name,
            origin: origin,
            returnPath: returnPath,
            previousSessionToken: previousSessionToken,
            purpose: purpose,
            request: request,
            code: refreshToken.map { _ in "fixture-code" }
        )
        signIn.isNameSuggested = isNameSuggested
        signIn.grant = try refreshToken.map { token in
            try .fixture(identity: identity, refreshToken: token)
        }
        return signIn
    }
}

extension VerifiedNotification {
    /// Creates a notification that nobody verified, for a test of your own `onNotification`.
    ///
    /// - Parameters:
    ///   - kind: the kind of the event.
    ///   - userID: the user's identifier in the developer team.
    ///   - clientID: the client.
    ///   - email: the relay address of the two email events.
    ///   - notificationID: the identifier; by default another one each time.
    ///   - eventTime: when the event happened and the notification was issued.
    /// - Returns: a notification with the issuer ``AppleFixture/issuer``.
    /// - Throws: ``TestAppleError`` if Apple can't send a value.
    public static func fixture(
        _ kind: NotificationEvent.Kind,
        userID: UserID = AppleFixture.userID,
        clientID: ClientID = AppleFixture.clientID,
        email: String? = nil,
        notificationID: String = UUID().uuidString,
        eventTime: Date = AppleFixture.time
    ) throws -> VerifiedNotification {
        var event: JSONObject = [
            "type": .string(kind.rawValue), "sub": .string(userID.rawValue),
            "event_time": .number((eventTime.timeIntervalSince1970 * 1_000).rounded()),
        ]
        event["email"] = email.map { .string($0) }
        event["is_private_email"] = email.map { _ in .boolean(true) }
        var claims = AppleFixture.claims(of: userID.rawValue, for: clientID.rawValue, at: eventTime)
        claims["jti"] = .string(notificationID)
        claims["events"] = .string(event.text)
        return VerifiedNotification(try AppleFixture.read(claims, NotificationClaims.init))
    }
}

extension VerifiedAccessToken {
    /// Creates an access token that nobody verified, for a test of your own routes.
    ///
    /// - Parameters:
    ///   - accountID: the account.
    ///   - sessionID: the session that the token was issued to.
    ///   - authenticationMethods: how the user signed in.
    ///   - authenticationTime: when the user signed in and the token was issued.
    /// - Returns: an access token with the issuer ``AppleFixture/issuer``.
    /// - Throws: ``TestAppleError`` if Apple can't send a value.
    public static func fixture(
        accountID: String = "fixture-account",
        sessionID: String = "fixture-session",
        authenticationMethods: [String] = ["fed"],
        authenticationTime: Date = AppleFixture.time
    ) throws -> VerifiedAccessToken {
        var claims = AppleFixture.claims(
            of: accountID,
            for: AppleFixture.clientID.rawValue,
            at: authenticationTime
        )
        claims["auth_time"] = claims["iat"]
        claims["jti"] = .string(UUID().uuidString)
        claims["sid"] = .string(sessionID)
        claims["amr"] = .array(authenticationMethods.map { .string($0) })
        return VerifiedAccessToken(try AppleFixture.read(claims, AccessTokenClaims.init))
    }
}

extension SignInError {
    /// Creates an error as the library throws it, for a test of your own error handling.
    ///
    /// - Parameters:
    ///   - code: the code, which decides the message and whether a retry can succeed.
    ///   - retryAfter: how long to wait before a retry.
    /// - Returns: the error.
    public static func fixture(_ code: Code, retryAfter: Duration? = nil) -> SignInError {
        SignInError(code, hint: "a fixture", retryAfter: retryAfter)
    }
}
