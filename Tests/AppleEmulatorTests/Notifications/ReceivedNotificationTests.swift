import AppleEmulatorTesting
import AppleIdentity
import Foundation
import SignInWithApple
import Testing

// Fidelity: notification-11, notification-13
@Suite("Notifications that the library receives") struct ReceivedNotificationTests {
    @Test("All four events arrive, of the person who did it") func events() async throws {
        try await withAppleEmulator { apple in
            let library = try apple.signIn()
            let user = try await apple.credentials(hidesEmail: true).user
            for isOn in [false, true] {
                try await apple.emulator.setForwarding(
                    Box.maya,
                    clientID: ClientID(Box.app),
                    enabled: isOn
                )
            }
            try await apple.emulator.stopUsing(Box.maya, clientID: ClientID(Box.app))
            _ = try await apple.credentials()
            try await apple.emulator.deletePerson(Box.maya)
            var received: [VerifiedNotification] = []
            let count = await apple.deliverNotifications { body in
                received.append(try await library.notification(from: body))
                return 200
            }
            #expect(count == 4)
            #expect(
                received.map(\.event.kind)
                    == [.emailDisabled, .emailEnabled, .consentRevoked, .accountDeleted]
            )
            #expect(received.allSatisfy { $0.userID == user && $0.clientID.rawValue == Box.app })
            #expect(received.map(\.event.isPrivateEmail) == [true, true, nil, nil])
            #expect(Set(received.map(\.notificationID)).count == 4)
            let states = await apple.notifications().map { $0["state"] }
            #expect(states == Array(repeating: "delivered", count: 4))
        }
    }

    @Test("A failed delivery is retried with the same body") func failing() async throws {
        try await withAppleEmulator { apple in
            _ = try await apple.emulator.sendNotification([
                "type": "consent-revoked", "client_id": "com.example.juice", "sub": "1.a.2",
            ])
            var bodies: [Data] = []
            func deliver(_ answer: () throws -> Int) async {
                await apple.deliverNotifications { body in
                    bodies.append(body)
                    return try answer()
                }
            }
            await deliver { throw CancellationError() }
            #expect(await apple.deliverNotifications { _ in 200 } == 0)
            apple.time.advance(bySeconds: 10)
            await deliver { 503 }
            apple.time.advance(bySeconds: 60)
            await deliver { 200 }
            #expect(bodies.count == 3 && Set(bodies).count == 1)
            let made = try #require(await apple.notifications().first)
            #expect(made["state"] == "delivered")
            #expect(made["attempts"]?.arrayValue?.count == 3)
        }
    }

    @Test(
        "Every malformed one is refused, for its own reason",
        arguments: [
            ("bad_signature", SignInError.Code.tokenSignatureInvalid),
            ("unknown_key", .tokenUnknownKey), ("unsigned", .tokenUnsupportedAlgorithm),
            ("wrong_issuer", .tokenIssuerMismatch), ("wrong_audience", .tokenAudienceMismatch),
            ("expired", .tokenExpired), ("issued_in_the_future", .tokenNotYetValid),
            ("events_not_json", .tokenMalformed), ("events_missing", .tokenWrongKind),
            ("payload_missing", .notificationMalformed), ("not_json", .notificationMalformed),
        ]
    )
    func malformed(defect: String, code: SignInError.Code) async throws {
        try await withAppleEmulator { apple in
            #expect(await deliver(defect, apple).refusal?.code == code)
            let made = try #require(await apple.notifications().first)
            #expect(made["malformed"] == .string(defect))
        }
    }

    @Test(
        "Some are only unusual, and differ on the wire",
        arguments: [
            (
                "events_object",
                #""events":\{"type":"consent-revoked","sub":"1\.a\.2","event_time":\d{13}\}"#
            ),
            ("event_time_in_seconds", #""events":"\{\\"[^}]*\\"event_time\\":\d{10}\}""#),
            ("unknown_type", #""events":"\{\\"type\\":\\"(?!consent-revoked)[^}]*\}""#),
        ]
    )
    func unusual(defect: String, form: String) async throws {
        try await withAppleEmulator { apple in
            let (refusal, body) = await deliver(defect, apple)
            #expect(refusal == nil)
            #expect(await apple.notifications().first?["state"] == "delivered")
            let payload = try JSONValue(parsing: body).objectValue?["payload"]?.stringValue
            let claims = TokenText(payload).payload
            #expect(claims.firstMatch(of: try Regex(form)) != nil, "\(claims)")
        }
    }

    /// Sends one with a defect: why the library refuses it, and what came over the wire.
    private func deliver(
        _ defect: String,
        _ apple: TestApple
    ) async -> (refusal: SignInError?, body: Data) {
        var refusal: SignInError?
        var received = Data()
        do {
            let library = try apple.signIn()
            _ = try await apple.emulator.sendNotification([
                "type": "consent-revoked", "client_id": "com.example.juice", "sub": "1.a.2",
                "malformed": .string(defect),
            ])
            await apple.deliverNotifications { body in
                received = body
                do {
                    _ = try await library.notification(from: body)
                    return 200
                } catch let error as SignInError {
                    refusal = error
                    return 401
                }
            }
        } catch {
            Issue.record(error)
        }
        return (refusal, received)
    }
}
