import AppleEmulator
import AppleEmulatorTesting
import AppleIdentity
import Foundation
import TestSupport
import Testing

@testable import SimulatedAuthenticationServices

/// The error that an app gets in each situation.
@MainActor @Suite("An error by its situation", Harness.lending) struct ErrorSituationTests {
    private let (device, apple): (SimulatedDevice, TestApple)
    init() throws { (device, apple) = try Harness.lending.value }

    @Test("The person closes the sheet: canceled") func closed() async throws {
        device.script(.cancel)
        #expect(await Harness.code([Harness.appleRequest()]) == .canceled)
    }

    @Test("An early iOS 13 says unknown when the sheet is closed") func closedEarly() async throws {
        device.script(.fail(.unknown))
        #expect(await Harness.code([Harness.appleRequest()]) == .unknown)
    }

    @Test("No Apple Account: an alert, and unknown at once; some simulators say canceled")
    func noAccount() async throws {
        try await withDevice(signedIn: false) { device, _ in
            #expect(await Harness.code([Harness.appleRequest()]) == .unknown)
            #expect(device.alerts == [.noAppleAccount])
            #expect(device.shownSheets.isEmpty)
            device.switches.noAccountCode = .canceled
            #expect(await Harness.code([Harness.appleRequest()]) == .canceled)
        }
    }

    @Test("Signing in to the device from the alert needs a new run")
    func signedInFromTheAlert() async throws {
        try await withDevice(signedIn: false) { device, _ in
            let listener = Listener()
            let controller = ASAuthorizationController(
                authorizationRequests: [Harness.appleRequest()]
            )
            controller.begin(for: listener)
            _ = await listener.ending()
            try await device.signIn(email: Harness.maya, password: "apple")
            #expect(listener.endings.map(\.error?.code) == [.unknown])
            #expect(try await Harness.signIn(device).email == Harness.maya)
        }
    }

    @Test("An account without two-factor authentication: an alert, and unknown")
    func noTwoFactor() async throws {
        let olga = SeedPerson(email: "olga@example.com", hasTwoFactor: false)
        try await apple.add(Seed(people: [olga]))
        try await device.signIn(email: "olga@example.com", password: "apple")
        #expect(await Harness.code([Harness.appleRequest()]) == .unknown)
        #expect(device.alerts == [.noTwoFactor])
        device.switches.hasTwoFactor = true
        #expect(try await Harness.signIn(device).email == "olga@example.com")
    }

    @Test("The entitlement is missing, or Apple does not know the app: unknown without any sheet")
    func noEntitlement() async throws {
        device.switches.lacksEntitlement = true
        #expect(await Harness.code([Harness.appleRequest()]) == .unknown)
        #expect(device.shownSheets.isEmpty && device.alerts.isEmpty)
        let other = SimulatedDevice(
            app: "com.example.unknown",
            service: device.service,
            time: device.time
        )
        try await other.signIn(email: Harness.maya, password: "apple")
        await SimulatedDevice.$scoped.withValue(other) {
            #expect(await Harness.code([Harness.appleRequest()]) == .unknown)
        }
        #expect(other.shownSheets.isEmpty)
    }

    @Test("Apple and a password are requested, nothing is stored: unknown or canceled, no sheet")
    func nothingStored() async throws {
        let requests = [Harness.appleRequest(), Harness.passwordRequest()]
        #expect(await Harness.code(requests) == .unknown)
        device.switches.nothingStoredCode = .canceled
        #expect(await Harness.code(requests) == .canceled)
        device.signOut()
        #expect(await Harness.code(requests) == .canceled)
        #expect(device.shownSheets.isEmpty && device.alerts.isEmpty)
    }

    @Test("A silent request without a credential has a reason, a cancelled sheet has none")
    func silent() async throws {
        let requests = [Harness.appleRequest(), Harness.passwordRequest()]
        let options = ASAuthorizationController.RequestOptions.preferImmediatelyAvailableCredentials
        let nothing = await Harness.run(requests, options: options).error
        #expect(nothing?.code == .canceled)
        #expect(nothing?.userInfo[NSLocalizedFailureReasonErrorKey] is String)
        device.store(password: "seven ripe oranges", for: "maya")
        device.script(.cancel)
        let closed = await Harness.run(requests, options: options).error
        #expect(closed?.code == .canceled)
        #expect(closed?.userInfo[NSLocalizedFailureReasonErrorKey] == nil)
    }

    @Test("The system's own error underlies unknown, where devices have one")
    func underlying() async throws {
        device.switches.lacksEntitlement = true
        let entitlement = await Harness.run([Harness.appleRequest()]).error
        device.switches.lacksEntitlement = false
        device.switches.hasTwoFactor = false
        let account = await Harness.run([Harness.appleRequest()]).error
        let causes = [entitlement, account].map { $0?.userInfo[NSUnderlyingErrorKey] as? NSError }
        #expect(causes.map(\.?.code) == [-7026, -7034])
    }

    @Test("A request without a handler, or no request: notHandled")
    func notHandled() async throws {
        let request = ASAuthorizationOpenIDRequest(provider: ASAuthorizationAppleIDProvider())
        #expect(await Harness.code([request]) == .notHandled)
        #expect(await Harness.code([]) == .notHandled)
    }

    @Test("An invalid response of the service: invalidResponse")
    func invalidResponse() async throws {
        let broken = SimulatedDevice(
            app: device.app,
            service: GarbledService(service: device.service),
            time: device.time
        )
        try await broken.signIn(email: Harness.maya, password: "apple")
        broken.script(.continue())
        await SimulatedDevice.$scoped.withValue(broken) {
            #expect(await Harness.code([Harness.appleRequest()]) == .invalidResponse)
        }
    }

    @Test("The attempt fails: a refusal, a sheet without an answer, an unknown face")
    func failed() async throws {
        let request = Harness.appleRequest()
        request.nonce = String(repeating: "n", count: 100_000)
        device.script(.continue())
        #expect(await Harness.code([request]) == .failed)
        let unanswered = await Harness.run([Harness.appleRequest()]).error
        #expect(unanswered?.code == .failed)
        #expect(unanswered?.localizedDescription.contains("script()") == true)
        device.script(.refuseFace)
        #expect(await Harness.code([Harness.appleRequest()]) == .failed)
        device.switches.refusesFace = true
        device.script(.continue())
        #expect(await Harness.code([Harness.appleRequest()]) == .failed)
        let apps = try await device.apps()
        #expect(apps.isEmpty)
    }

    @Test("No user interaction is possible: notInteractive") func notInteractive() async throws {
        device.switches.isInteractive = false
        #expect(await Harness.code([Harness.appleRequest()]) == .notInteractive)
    }

    @Test("The person prefers Sign in with Apple to a passkey: the app starts it")
    func preferSignInWithApple() async throws {
        device.script(.fail(.preferSignInWithApple))
        #expect(await Harness.code([Harness.appleRequest()]) == .preferSignInWithApple)
        let credential = try await Harness.signIn(device)
        #expect(credential.email == Harness.maya)
    }

    @Test("The codes have Apple's numbers, the domain Apple's name") func numbers() {
        let codes: [ASAuthorizationError.Code] = [
            .unknown, .canceled, .invalidResponse, .notHandled, .failed, .notInteractive,
            .matchedExcludedCredential, .credentialImport, .credentialExport,
            .preferSignInWithApple, .deviceNotConfiguredForPasskeyCreation,
        ]
        #expect(codes.map(\.rawValue) == Array(1000...1010))
        let error = ASAuthorizationError(.failed, userInfo: [NSLocalizedDescriptionKey: "No."])
        #expect((error as NSError).domain == ASAuthorizationErrorDomain)
        #expect((error as NSError).code == 1004)
        #expect((error as NSError).localizedDescription == "No.")
        #expect(error.errorUserInfo.count == 1)
        #expect(ASAuthorizationError(.failed) == ASAuthorizationError(.failed))
    }

    @Test("An error is caught by its code, and a switch over codes stays open")
    func catching() {
        func word(_ error: any Error) -> String {
            do {
                throw error
            } catch ASAuthorizationError.canceled {
                return "canceled"
            } catch let error as ASAuthorizationError {
                switch error.code {
                case .unknown, .canceled, .invalidResponse, .notHandled, .failed, .notInteractive,
                    .matchedExcludedCredential, .credentialImport, .credentialExport,
                    .preferSignInWithApple, .deviceNotConfiguredForPasskeyCreation:
                    return "another"
                @unknown default: return "newer"
                }
            } catch {
                return "foreign"
            }
        }
        #expect(word(ASAuthorizationError(.canceled)) == "canceled")
        #expect(word(ASAuthorizationError(.failed)) == "another")
        #expect(word(CancellationError()) == "foreign")
    }
}

/// An Apple whose credentials can't be read.
private struct GarbledService: SimulatedAppleService {
    let service: any SimulatedAppleService

    func perform(
        _ operation: SimulatedAppleOperation,
        of email: String
    ) async throws(SimulatedAppleError) -> JSONObject {
        switch operation {
        case .signIn, .account: try await service.perform(operation, of: email)
        case .credential: ["user": 7]
        case .credentialState: ["state": "perhaps"]
        case .stopUsing, .setForwarding: throw .unreachable("it is gone")
        }
    }
}
