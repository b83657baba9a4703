import AppleEmulator
import AppleEmulatorTesting
import AppleIdentity
import Foundation
import TestSupport
import Testing

@testable import SimulatedAuthenticationServices

/// Runs a test with a device of an emulated Apple, on which Maya is signed in.
@MainActor func withDevice(
    signedIn: Bool = true,
    _ body: @MainActor (SimulatedDevice, TestApple) async throws -> Void
) async throws {
    let apple = try await withAppleEmulator { @Sendable in $0 }
    let device = apple.device()
    if signedIn { try await device.signIn(email: Harness.maya, password: "apple") }
    try await SimulatedDevice.$scoped.withValue(device) { try await body(device, apple) }
}

@MainActor enum Harness {
    nonisolated static let lending = Lending<(SimulatedDevice, TestApple)> { body in
        try await withDevice { try await body(($0, $1)) }
    }

    static let maya = "maya@example.com"
    static let app: ClientID = "com.example.juice"

    static func appleRequest(
        _ scopes: [ASAuthorization.Scope] = [.fullName, .email]
    ) -> ASAuthorizationAppleIDRequest {
        let request = ASAuthorizationAppleIDProvider().createRequest()
        request.requestedScopes = scopes
        return request
    }

    static func passwordRequest() -> ASAuthorizationPasswordRequest {
        ASAuthorizationPasswordProvider().createRequest()
    }

    /// Runs a controller of these requests to its end.
    static func run(
        _ requests: [ASAuthorizationRequest],
        options: ASAuthorizationController.RequestOptions = []
    ) async -> Ending {
        let listener = Listener()
        ASAuthorizationController(authorizationRequests: requests)
            .begin(for: listener, options: options)
        return await listener.ending()
    }

    /// Signs in with Apple, answering the sheet so.
    static func signIn(
        _ device: SimulatedDevice,
        _ answer: SheetAnswer = .continue(),
        scopes: [ASAuthorization.Scope] = [.fullName, .email]
    ) async throws -> ASAuthorizationAppleIDCredential {
        device.script(answer)
        return try #require(try await run([appleRequest(scopes)]).apple)
    }

    static func code(
        _ requests: [ASAuthorizationRequest],
        options: ASAuthorizationController.RequestOptions = []
    ) async -> ASAuthorizationError.Code? {
        await run(requests, options: options).error?.code
    }
}

extension ASAuthorizationController {
    @MainActor func begin(for listener: Listener, options: RequestOptions = []) {
        delegate = listener
        presentationContextProvider = listener
        performRequests(options: options)
    }
}

struct Ending {
    var authorization: ASAuthorization?
    var error: ASAuthorizationError?

    var apple: ASAuthorizationAppleIDCredential? {
        get throws {
            if let error { throw error }
            return authorization?.credential as? ASAuthorizationAppleIDCredential
        }
    }
    var password: ASPasswordCredential? { authorization?.credential as? ASPasswordCredential }
}

/// A delegate that a test waits for.
@MainActor
final class Listener: NSObject, ASAuthorizationControllerDelegate,
    ASAuthorizationControllerPresentationContextProviding
{
    let window = ASPresentationAnchor()
    private(set) var endings: [Ending] = []
    private(set) var controllers: [ObjectIdentifier] = []
    private(set) var anchorCount = 0
    private var waiting: CheckedContinuation<Void, Never>?

    /// Waits for the first result.
    func ending() async -> Ending {
        if endings.isEmpty { await withCheckedContinuation { waiting = $0 } }
        return endings[0]
    }

    func presentationAnchor(for controller: ASAuthorizationController) -> ASPresentationAnchor {
        anchorCount += 1
        return window
    }

    func authorizationController(
        controller: ASAuthorizationController,
        didCompleteWithAuthorization authorization: ASAuthorization
    ) { end(Ending(authorization: authorization), controller) }

    func authorizationController(
        controller: ASAuthorizationController,
        didCompleteWithError error: any Error
    ) { end(Ending(error: error as? ASAuthorizationError), controller) }

    private func end(_ ending: Ending, _ controller: ASAuthorizationController) {
        MainActor.assertIsolated()
        controllers.append(ObjectIdentifier(controller))
        endings.append(ending)
        waiting?.resume()
        waiting = nil
    }
}
