import AppleIdentity
import Foundation

/// Notifications that an attacker posts to the server, without Apple.
extension SignInCheck {
    static let forgedNotifications = SignInCheck(
        name: "notification-forged",
        attempt: """
            notifications that the victim has stopped using the app, posted by an attacker: signed with the attacker's own \
            key, with the algorithm `none`, and as HS256 with Apple's public key as the secret
            """,
        expectation: "the victim stays signed in",
        fix: "Verify notifications with the same library and rules as identity tokens.",
        source: .tokens
    ) { context throws(CheckError) in
        guard try await context.heeds(), let address = context.registration.notificationURL else {
            return .notExamined(context.ignored)
        }
        var visit = try await context.signIn(context.victim)
        let own = try OwnKey(keySetAddress: "")
        for forgery in forgeriesOfNotifications {
            let token = try await context.notification(own).make(forgery)
            var request = WebRequest(method: "POST", url: address)
            request.fields = [("Content-Type", "application/json")]
            request.body = JSONObject(dictionaryLiteral: ("payload", .string(token))).data
            do throws(CheckError) {
                _ = try await context.client.send(request)
            } catch  where error.kind == .silence {
                return .notExamined("this machine can't reach \(address.absoluteString)")
            }
        }
        try await context.waitForEffect()
        return try await context.who(&visit) == .anonymous
            ? .fails("one of \(forgeriesOfNotifications.count) has ended the session")
            : .holds("\(forgeriesOfNotifications.count) were sent, and the session continues")
    }

    private static let forgeriesOfNotifications: [Forgery] =
        [
            .missingSignature, .foreignKey, .embeddedKey(.underApplesName),
            .embeddedKey(.certificate),
        ]
        + unsignedNames.map { .unsigned($0) }
        + PublicKeySecret.allCases.map { .publicKeyAsSecret($0) }
}

extension CheckContext {
    /// A notification about the victim in which only the signature is wrong.
    fileprivate func notification(_ own: OwnKey) async throws(CheckError) -> ForgedToken {
        let now = Int(time.now.timeIntervalSince1970)
        let event: JSONObject = [
            "type": "consent-revoked", "sub": .string(victimID),
            "event_time": .integer(now * 1000),
        ]
        let claims: JSONObject = [
            "iss": "https://appleid.apple.com",
            "aud": .string(registration.primaryID), "exp": .integer(now + 86_400),
            "iat": .integer(now - 1), "jti": .string(CheckPerson.letters(22)),
            "events": .string(event.text),
        ]
        let keys = try await apple.publishedKeys(at: usual.appleOrigin)
        return ForgedToken(
            claims: claims,
            applesKey: keys.first ?? [:],
            genuine: nil,
            own: own,
            now: time.now
        )
    }
}
