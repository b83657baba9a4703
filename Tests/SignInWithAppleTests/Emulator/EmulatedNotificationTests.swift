import AppleEmulator
import AppleEmulatorTesting
import AppleIdentity
import Foundation
import SignInWithApple
import Testing

/// The notifications that the emulated Apple makes of what people do, read by the library.
@Suite struct EmulatedNotificationTests {
    private func withReceiver(_ body: (TestApple, AppleSignIn) async throws -> Void) async throws {
        var seed = Seed.demo()
        seed.apps[0].notificationURL = "https://juice.example.com/apple/notifications"
        try await withAppleEmulator(seed: seed) { try await body($0, $0.signIn()) }
    }

    private func received(
        _ apple: TestApple,
        by signIn: AppleSignIn
    ) async throws -> [VerifiedNotification] {
        var notifications: [VerifiedNotification] = []
        await apple.deliverNotifications { body in
            notifications.append(try await signIn.notification(from: body))
            return 200
        }
        return notifications
    }

    @Test func stoppingAndDeletingAreTold() async throws {
        try await withReceiver { apple, signIn in
            let maya = try await apple.credentials()
            try await apple.emulator.stopUsing("maya@example.com", clientID: "com.example.juice")
            let stopped = try await received(apple, by: signIn)
            #expect(stopped.map(\.event.kind) == [.consentRevoked])
            #expect(stopped.first?.user == maya.user)
            _ = try await apple.credentials()
            try await apple.emulator.deletePerson("maya@example.com")
            let deleted = try await received(apple, by: signIn)
            #expect(deleted.map(\.event.kind.isAccountDeletion) == [true])
            #expect(deleted.first?.user == maya.user)
        }
    }

    @Test func secondDeliveryHasTheSameName() async throws {
        try await withReceiver { apple, signIn in
            _ = try await apple.credentials()
            _ = try await apple.emulator.changeNotificationSettings(["duplicates": 1])
            try await apple.emulator.stopUsing("maya@example.com", clientID: "com.example.juice")
            let both = try await received(apple, by: signIn)
            #expect(both.count == 2 && Set(both.map(\.notificationID)).count == 1)
        }
    }

    @Test func notificationForAnotherTeamsAppIsRefused() async throws {
        try await withReceiver { apple, _ in
            _ = try await apple.credentials()
            try await apple.emulator.stopUsing("maya@example.com", clientID: "com.example.juice")
            let other = try apple.signIn(clientIDs: ["com.example.juice.web"])
            await apple.deliverNotifications { body in
                await expectRefusal(.tokenAudienceMismatch) {
                    try await other.notification(from: body)
                }
                return 500
            }
        }
    }
}
