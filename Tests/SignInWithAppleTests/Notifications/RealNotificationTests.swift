import AppleIdentity
import Foundation
import SignInWithApple
import SignedTokens
import Testing

/// Notifications that Apple really signed, with the keys Apple published then.
@Suite struct RealNotificationTests {
    @Test(arguments: Fixture.notifications)
    func verifiesInItsTime(notification: Fixture.Case) async throws {
        let verified = try await ScriptedApple.real(at: notification.validTime)
            .signIn(clientIDs: ["com.other", ClientID(notification.aud)])
            .notification(from: notificationBody(notification.text()))
        #expect(verified.clientID == ClientID(notification.aud))
        #expect(verified.issuer == "https://appleid.apple.com")
        #expect(verified.event.kind == .consentRevoked)
        let event = try #require(try notification.event())
        #expect(verified.user.rawValue == event["sub"]?.stringValue)
        let milliseconds = try #require(event["event_time"]?.integerValue)
        #expect(
            verified.event.eventTime
                == Date(timeIntervalSince1970: TimeInterval(milliseconds) / 1_000)
        )
        #expect(verified.issuedAt == notification.validTime.addingTimeInterval(-1))
    }

    @Test(arguments: Fixture.notifications)
    func isRefusedAfterItsTimeAndBefore(notification: Fixture.Case) async throws {
        let text = try notification.text()
        let client = ClientID(notification.aud)
        for (time, code) in [
            (notification.expiredTime, SignInError.Code.tokenExpired),
            (notification.validTime.addingTimeInterval(-3600), .tokenNotYetValid),
        ] {
            await expectRefusal(code) {
                try await ScriptedApple.real(at: time).signIn(clientIDs: [client])
                    .notification(from: notificationBody(text))
            }
        }
    }

    @Test(arguments: Fixture.notifications)
    func isRefusedForAnotherAudience(notification: Fixture.Case) async throws {
        let aud = notification.aud
        for other in [aud + "x", aud.uppercased(), String(aud.dropLast())] {
            await expectRefusal(.tokenAudienceMismatch) {
                try await ScriptedApple.real(at: notification.validTime).signIn(clientIDs: [
                    ClientID(other)
                ])
                .notification(from: notificationBody(notification.text()))
            }
        }
    }

    @Test(arguments: Fixture.notifications)
    func isRefusedWithOneBitChanged(notification: Fixture.Case) async throws {
        let signIn = try ScriptedApple.real(at: notification.validTime)
            .signIn(clientIDs: [ClientID(notification.aud)])
        let parts = try notification.text().split(separator: ".").map(String.init)
        for part in [1, 2] {
            let bytes = try #require(Base64URL.decode(parts[part]))
            for bit in [0, 7, bytes.count * 4, bytes.count * 8 - 1] {
                var changedBytes = bytes
                changedBytes[bit / 8] ^= 1 << UInt8(bit % 8)
                var changed = parts
                changed[part] = Base64URL.encode(changedBytes)
                await expectRefusal(.tokenSignatureInvalid) {
                    try await signIn.notification(
                        from: notificationBody(changed.joined(separator: "."))
                    )
                }
            }
        }
    }

    @Test(arguments: Fixture.tokens)
    func identityTokenIsNoNotification(token: Fixture.Case) async throws {
        await expectRefusal(.tokenWrongKind) {
            try await ScriptedApple.real(at: token.validTime).signIn(clientIDs: [
                ClientID(token.aud)
            ])
            .notification(from: notificationBody(token.text()))
        }
    }
}
