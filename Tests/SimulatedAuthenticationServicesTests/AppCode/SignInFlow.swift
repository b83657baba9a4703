// An app's code in the style of async functions. With Apple's framework only this import is another
// one: `import AuthenticationServices`.
import Foundation
import SimulatedAuthenticationServices

/// What an app keeps of a person who signed in.
struct SignedInUser: Equatable, Sendable {
    let identifier: String
    let name: String?
    let email: String?
    let identityToken: String
}

/// Signs in with Apple, and waits for it.
@MainActor final class SignInFlow: NSObject {
    private var waiting: CheckedContinuation<SignedInUser, any Error>?

    func signIn(nonce: String) async throws -> SignedInUser {
        let request = ASAuthorizationAppleIDProvider().createRequest()
        request.requestedScopes = [.fullName, .email]
        request.nonce = nonce
        let controller = ASAuthorizationController(authorizationRequests: [request])
        controller.delegate = self
        return try await withCheckedThrowingContinuation { continuation in
            waiting = continuation
            controller.performRequests()
        }
    }

    /// Whether the person who signed in before may go on.
    static func mayGoOn(_ identifier: String) async -> Bool {
        do {
            let provider = ASAuthorizationAppleIDProvider()
            switch try await provider.credentialState(forUserID: identifier) {
            case .authorized: return true
            case .revoked, .notFound, .transferred: return false
            @unknown default: return false
            }
        } catch {
            return false
        }
    }
}

extension SignInFlow: ASAuthorizationControllerDelegate {
    func authorizationController(
        controller: ASAuthorizationController,
        didCompleteWithAuthorization authorization: ASAuthorization
    ) {
        guard let credential = authorization.credential as? ASAuthorizationAppleIDCredential,
            let token = credential.identityToken
        else { return finish(.failure(ASAuthorizationError(.invalidResponse))) }
        let user = SignedInUser(
            identifier: credential.user,
            name: credential.fullName?.givenName,
            email: credential.email,
            identityToken: String(decoding: token, as: UTF8.self)
        )
        finish(.success(user))
    }

    func authorizationController(
        controller: ASAuthorizationController,
        didCompleteWithError error: any Error
    ) { finish(.failure(error)) }

    private func finish(_ result: Result<SignedInUser, any Error>) {
        waiting?.resume(with: result)
        waiting = nil
    }
}
