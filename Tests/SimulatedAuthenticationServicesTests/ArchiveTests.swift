import AppleEmulator
import AppleEmulatorTesting
import AppleIdentity
import Foundation
import Testing

@testable import SimulatedAuthenticationServices

@MainActor @Suite("Archives and copies") struct ArchiveTests {
    private func again<Object: NSObject & NSSecureCoding>(_ object: Object) throws -> Object {
        let data = try NSKeyedArchiver.archivedData(
            withRootObject: object,
            requiringSecureCoding: true
        )
        let read = try NSKeyedUnarchiver.unarchivedObject(ofClass: Object.self, from: data)
        return try #require(read)
    }

    @Test("An Apple ID credential survives an archive") func credential() async throws {
        try await withDevice { device, _ in
            let first = try await Harness.signIn(device)
            let read = try again(first)
            #expect(read.user == first.user && read.email == first.email)
            #expect(read.identityToken == first.identityToken)
            #expect(read.authorizationCode == first.authorizationCode)
            #expect(read.fullName == first.fullName && read.state == nil)
            #expect(read.authorizedScopes == first.authorizedScopes)
            #expect(read.realUserStatus == .likelyReal)
            #expect(first.copy() as? ASAuthorizationAppleIDCredential === first)
            #expect(try again(try await Harness.signIn(device)).fullName == nil)
        }
    }

    @Test("A password credential survives an archive") func password() throws {
        let read = try again(ASPasswordCredential(user: "maya", password: "secret"))
        #expect(read.user == "maya" && read.password == "secret")
    }

    @Test("A request starts without scopes, and archives and copies keep its values")
    func request() throws {
        let request = ASAuthorizationAppleIDProvider().createRequest()
        #expect(request.requestedScopes == nil && request.state == nil && request.nonce == nil)
        #expect(request.requestedOperation == .operationImplicit && request.user == nil)
        request.requestedScopes = [.email]
        request.state = "s"
        request.nonce = "n"
        request.user = "u"
        request.requestedOperation = .operationLogin
        let copy = try #require(request.copy() as? ASAuthorizationAppleIDRequest)
        for other in [try again(request), copy] {
            #expect(other.requestedScopes == [.email] && other.user == "u")
            #expect(other.state == "s" && other.nonce == "n")
            #expect(other.requestedOperation == .operationLogin)
            #expect(other.provider is ASAuthorizationAppleIDProvider)
        }
        request.nonce = "later"
        #expect(copy.nonce == "n")
        let password = try again(ASAuthorizationPasswordProvider().createRequest())
        #expect(password.provider is ASAuthorizationPasswordProvider)
    }

    @Test("Scopes, operations and numbers are Apple's own") func texts() {
        #expect(ASAuthorization.Scope.fullName.rawValue == "full_name")
        #expect(ASAuthorization.Scope.email == ASAuthorization.Scope("email"))
        let operations: [ASAuthorization.OpenIDOperation] = [
            .operationImplicit, .operationLogin, .operationRefresh, .operationLogout,
        ]
        #expect(operations.map(\.rawValue) == ["implicit", "login", "refresh", "logout"])
        let statuses: [ASUserDetectionStatus] = [.unsupported, .unknown, .likelyReal]
        #expect(statuses.map(\.rawValue) == [0, 1, 2])
        let ages: [ASUserAgeRange] = [.unknown, .child, .notChild]
        #expect(ages.map(\.rawValue) == [0, 1, 2])
        #expect(ASAuthorizationErrorDomain == "com.apple.AuthenticationServices.AuthorizationError")
    }
}
