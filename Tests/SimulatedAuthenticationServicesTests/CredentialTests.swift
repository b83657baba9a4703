import AppleEmulator
import AppleEmulatorTesting
import AppleIdentity
import Foundation
import SignInWithApple
import TestSupport
import Testing

@testable import SimulatedAuthenticationServices

@MainActor @Suite("A credential", Harness.lending) struct CredentialTests {
    private let (device, apple): (SimulatedDevice, TestApple)
    init() throws { (device, apple) = try Harness.lending.value }

    @Test("Name and address come the first time, and nothing of them later")
    func onlyOnce() async throws {
        let first = try await Harness.signIn(device)
        #expect(first.email == Harness.maya)
        #expect(first.fullName?.givenName == "Maya")
        #expect(first.authorizedScopes == [.fullName, .email])
        let second = try await Harness.signIn(device)
        #expect(second.user == first.user)
        #expect(second.email == nil && second.fullName == nil)
        #expect(second.authorizationCode != first.authorizationCode)
    }

    @Test("The name in a later authorization may have empty components")
    func emptyName() async throws {
        _ = try await Harness.signIn(device)
        device.switches.laterName = .empty
        device.switches.laterScopesAreEmpty = true
        let second = try await Harness.signIn(device)
        #expect(second.fullName == PersonNameComponents())
        #expect(second.authorizedScopes.isEmpty)
    }

    @Test("The token is Apple's, with the unchanged nonce; state is returned")
    func token() async throws {
        let request = Harness.appleRequest()
        request.nonce = "n-1"
        request.state = "s-1"
        device.script(.continue())
        let credential = try #require(try await Harness.run([request]).apple)
        let token = String(decoding: try #require(credential.identityToken), as: UTF8.self)
        let identity = try await apple.signIn().verify(token, expecting: .init(nonce: .raw("n-1")))
        #expect(identity.userID.rawValue == credential.user)
        #expect(identity.email == Harness.maya)
        #expect(credential.state == "s-1")
        #expect(credential.user.wholeMatch(of: /000\d{3}\.[0-9a-f]{32}\.\d{4}/) != nil)
    }

    @Test("The address is in each identity token, the name in none")
    func everyToken() async throws {
        for _ in 1...2 {
            let credential = try await Harness.signIn(device)
            let token = String(decoding: try #require(credential.identityToken), as: UTF8.self)
            let claims = try Self.claims(of: token)
            #expect(claims["email"] == .string(Harness.maya))
            #expect(!claims.text.contains("Maya"))
        }
    }

    @Test(
        "An operation of each kind signs in",
        arguments: [
            ASAuthorization.OpenIDOperation.operationImplicit, .operationLogin, .operationRefresh,
            .operationLogout,
        ]
    )
    func operations(_ operation: ASAuthorization.OpenIDOperation) async throws {
        let request = Harness.appleRequest()
        request.requestedOperation = operation
        device.script(.continue())
        let credential = try await Harness.run([request]).apple
        #expect(credential != nil)
    }

    @Test("A returning person is greeted without a name") func greeting() async throws {
        let apple = try await withAppleEmulator { @Sendable in $0 }
        let device = apple.device(app: "com.example.juice")
        try await device.signIn(email: "maya@example.com", password: "apple")
        try await SimulatedDevice.$scoped.withValue(device) {
            device.script(.continue(email: .hide), .continue())
            let flow = SignInFlow()
            let first = try await flow.signIn(nonce: "n-1")
            #expect(first.name == "Maya")
            let second = try await flow.signIn(nonce: "n-2")
            #expect(second.identifier == first.identifier && second.name == nil)
        }
    }

    private static func claims(of token: String) throws -> JSONObject {
        let part = token.split(separator: ".")[1].replacing("-", with: "+").replacing(
            "_",
            with: "/"
        )
        let padding = String(repeating: "=", count: (4 - part.count % 4) % 4)
        return try JSONObject(parsing: try #require(Data(base64Encoded: part + padding)))
    }
}
