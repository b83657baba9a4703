import AppleEmulator
import AppleEmulatorTesting
import AppleIdentity
import Foundation
import TestSupport
import Testing

@testable import SimulatedAuthenticationServices

// Fidelity: device-3
@MainActor @Suite("The device's Settings", Harness.lending) struct DeviceSettingsTests {
    private let (device, apple): (SimulatedDevice, TestApple)
    init() throws { (device, apple) = try Harness.lending.value }

    @Test("Signing in checks the password at Apple") func password() async throws {
        try await withDevice(signedIn: false) { device, _ in
            await #expect(throws: SimulatedDeviceError.wrongPassword) {
                try await device.signIn(email: Harness.maya, password: "pear")
            }
            await #expect(throws: SimulatedDeviceError.unknownAccount) {
                try await device.signIn(email: "nobody@example.com", password: "apple")
            }
            #expect(device.account == nil)
            await #expect(throws: SimulatedDeviceError.noAccount) { try await device.apps() }
            try await device.signIn(email: "MAYA@example.com", password: "apple")
            #expect(device.account == Harness.maya)
        }
    }

    @Test("The list has each app with what it knows, until the person stops using it")
    func apps() async throws {
        #expect(try await device.apps().isEmpty)
        let credential = try await Harness.signIn(device, .continue(email: .hide))
        let relay = try #require(credential.email)
        #expect(relay.hasSuffix("@privaterelay.appleid.com"))
        let app = try #require(try await device.usedApps().first)
        #expect(app.id == Harness.app && app.name == "Juice")
        #expect(app.email == .hidden(relay: relay, isForwarded: true))
        try await device.setForwarding(false, for: Harness.app)
        let email = try await device.usedApps().first?.email
        #expect(email == .hidden(relay: relay, isForwarded: false))
        try await device.stopUsing(Harness.app)
        #expect(try await device.apps().isEmpty)
        await #expect(throws: SimulatedDeviceError.self) { try await device.stopUsing(Harness.app) }
    }

    @Test("The person edits the name, and shares another address") func choices() async throws {
        try await withDevice(signedIn: false) { device, apple in
            let olga = SeedPerson(email: "olga@example.com", otherEmails: ["o@example.com"])
            try await apple.add(Seed(people: [olga]))
            try await device.signIn(email: "olga@example.com", password: "apple")
            let name = PersonName(givenName: "Olga", familyName: "B.")
            let credential = try await Harness.signIn(
                device,
                .continue(name: name, email: .other("o@example.com"))
            )
            #expect(credential.email == "o@example.com")
            #expect(credential.fullName?.familyName == "B.")
            let sheet = try #require(device.shownSheets.first)
            #expect(sheet.kind == .firstTime && sheet.canHideEmail)
            #expect(sheet.addresses == ["olga@example.com", "o@example.com"])
        }
    }

    @Test(
        "The requested scopes decide the form and the credential",
        arguments: [[], [.fullName], [.email], [.fullName, .email]]
            as [[ASAuthorization.Scope]]
    )
    func scopes(_ scopes: [ASAuthorization.Scope]) async throws {
        let credential = try await Harness.signIn(device, scopes: scopes)
        let sheet = try #require(device.shownSheets.first)
        #expect(sheet.asksName == scopes.contains(.fullName))
        #expect(sheet.asksEmail == scopes.contains(.email))
        #expect((credential.fullName != nil) == scopes.contains(.fullName))
        #expect((credential.email != nil) == scopes.contains(.email))
    }

    @Test("A managed account without an address shares none, and can hide none")
    func managed() async throws {
        try await withDevice(signedIn: false) { device, apple in
            let pupil = SeedPerson(
                email: "pupil@school.example.com",
                isManaged: true,
                hasEmail: false
            )
            try await apple.add(Seed(people: [pupil]))
            try await device.signIn(email: "pupil@school.example.com", password: "apple")
            let credential = try await Harness.signIn(device)
            #expect(credential.email == nil)
            let sheet = try #require(device.shownSheets.first)
            #expect(!sheet.asksEmail && !sheet.canHideEmail && sheet.addresses.isEmpty)
        }
    }

    @Test("Only the first sign-in reports that the person is likely real")
    func realUserStatus() async throws {
        #expect(try await Harness.signIn(device).realUserStatus == .likelyReal)
        #expect(try await Harness.signIn(device).realUserStatus == .unknown)
        let credential = try await Harness.signIn(device)
        #expect(credential.userAgeRange == .unknown)
        device.switches.userAgeRange = .notChild
        #expect(try await Harness.signIn(device).userAgeRange == .notChild)
    }

    @Test("All apps of a team know a person by one identifier, and one relay address")
    func oneTeam() async throws {
        let first = try await Harness.signIn(device, .continue(email: .hide))
        let team = try #require(apple.seed.apps.first?.teamID)
        try await apple.add(Seed(apps: [SeedApp(clientID: "com.example.pulp", teamID: team)]))
        let other = apple.device(app: "com.example.pulp")
        try await other.signIn(email: Harness.maya, password: "apple")
        let second = try await SimulatedDevice.$scoped.withValue(other) {
            try await Harness.signIn(other, .continue(email: .hide))
        }
        #expect(second.user == first.user && second.email == first.email)
    }

    @Test("The current device is the one that was set, or the task's own")
    func current() async throws {
        #expect(SimulatedDevice.current === device)
        let other = apple.device()
        SimulatedDevice.$scoped.withValue(other) { #expect(SimulatedDevice.current === other) }
    }
}
