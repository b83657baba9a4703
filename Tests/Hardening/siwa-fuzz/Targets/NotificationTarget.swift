import AppleIdentity
import Foundation

@testable import SignInWithApple

/// A posted notification: the body, the claims inside, and the events inside these.
struct NotificationTarget: FuzzTarget {
    private let apple: KnownApple
    private let realNotifications: Set<String>

    init() throws {
        apple = try KnownApple()
        realNotifications = try Set(SeedFiles.notifications())
    }

    func seeds() throws -> [Data] {
        let real = try SeedFiles.notifications()
        let tokens = try SeedFiles.tokens()
        let bodies = (real + tokens.prefix(1)).map { #"{"payload":"\#($0)"}"# }
        let claims = real.compactMap { token in
            token.split(separator: ".").dropFirst().first
                .flatMap { FoundationBase64.decode(String($0)) }
        }
        let events = [
            #"{"type":"email-enabled","sub":"s","event_time":1769000000000,"email":"a@b.example","is_private_email":"true"}"#,
            #"{"type":"account-delete","sub":"s","event_time":1.5}"#,
        ]
        return claims + (bodies + events).map { Data($0.utf8) }
    }

    func test(_ input: Data) {
        testBody(input)
        testClaims(input)
        testEvents(String(decoding: input, as: UTF8.self))
    }

    /// The events as they travel: a JSON text inside the JSON.
    private func testEvents(_ text: String) {
        let claims: JSONObject = [
            "iss": "i", "aud": "a", "exp": 2, "iat": 1, "jti": "j", "events": .string(text),
        ]
        guard let event = try? NotificationClaims(claims.data).event else { return }
        guard let object = FoundationJSON.parse(Data(text.utf8)) as? [String: Any] else {
            return promise(false, "Foundation finds no event")
        }
        promise(object["type"] as? String == event.kind.rawValue, "another type")
        promise(object["sub"] as? String == event.subject.rawValue, "another person")
    }

    private func testBody(_ body: Data) {
        let outcome = verify(body)
        Refusals.checkSame(outcome, verify(body))
        switch outcome {
        case .success:
            let object = FoundationJSON.parse(body) as? [String: Any]
            let payload = object?["payload"] as? String ?? ""
            promise(realNotifications.contains(payload), "Apple never signed this notification")
        case .failure(let error):
            Refusals.check(error)
        }
    }

    private func verify(_ body: Data) -> Result<VerifiedNotification, SignInError> {
        let payload = try? NotificationBody(body).payload
        let verifier = apple.notificationVerifier(at: UnverifiedClaims(payload ?? "").time)
        return InlineTask.run {
            do {
                return .success(try await verifier.verify(body))
            } catch {
                return .failure(Refusals.signInError(error))
            }
        }
    }

    private func testClaims(_ input: Data) {
        let claims: NotificationClaims
        do throws(ClaimsError) {
            claims = try NotificationClaims(input)
        } catch {
            return Refusals.check(SignInError(notification: error))
        }
        let identity = try? IdentityTokenClaims(parsing: input)
        promise(identity == nil, "a notification that is an identity token")
        do throws(SignInError) {
            try claims.checkName()
            let rules = TokenRules(
                issuer: AppleService.appleIssuer,
                clientIDs: apple.clientIDs,
                now: claims.issuedAt
            )
            for check in TokenCheck.allCases { try check.apply(rules, to: claims) }
            let areOwn = claims.audience.clients.allSatisfy(apple.clientIDs.contains)
            promise(areOwn, "an unknown client")
            promise(!claims.notificationID.isEmpty, "no name")
        } catch {
            Refusals.check(error)
        }
    }
}
