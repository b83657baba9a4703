// An app's code in the style of delegates. With Apple's framework only this import is another one:
// `import AuthenticationServices`.
import Foundation
import SimulatedAuthenticationServices

/// A screen with Apple's button, and what it shows.
@MainActor final class SignInScreen: NSObject {
    private(set) var title = "Welcome"
    private(set) var user: String?
    private(set) var offeredUserName: String?
    private let window: ASPresentationAnchor
    private let onChange: () -> Void

    init(window: ASPresentationAnchor, onChange: @escaping () -> Void) {
        self.window = window
        self.onChange = onChange
        super.init()
    }

    /// When the screen appears: a user who has signed in before need not do anything.
    func appear() {
        let requests = [
            ASAuthorizationAppleIDProvider().createRequest(),
            ASAuthorizationPasswordProvider().createRequest(),
        ]
        perform(requests, options: .preferImmediatelyAvailableCredentials)
    }

    /// The button was pressed.
    func pressButton() {
        let request = ASAuthorizationAppleIDProvider().createRequest()
        request.requestedScopes = [.fullName, .email]
        request.requestedOperation = .operationLogin
        perform([request])
    }

    private func perform(
        _ requests: [ASAuthorizationRequest],
        options: ASAuthorizationController.RequestOptions = []
    ) {
        let controller = ASAuthorizationController(authorizationRequests: requests)
        controller.delegate = self
        controller.presentationContextProvider = self
        controller.performRequests(options: options)
    }
}

extension SignInScreen: ASAuthorizationControllerDelegate {
    func authorizationController(
        controller: ASAuthorizationController,
        didCompleteWithAuthorization authorization: ASAuthorization
    ) {
        switch authorization.credential {
        case let credential as ASAuthorizationAppleIDCredential:
            user = credential.user
            title = credential.fullName?.givenName.map { "Hello, \($0)" } ?? "Hello again"
        case let credential as ASPasswordCredential:
            offeredUserName = credential.user
        default:
            title = "This way in is not known here"
        }
        onChange()
    }

    func authorizationController(
        controller: ASAuthorizationController,
        didCompleteWithError error: any Error
    ) {
        switch (error as? ASAuthorizationError)?.code {
        case .canceled: break
        case .unknown: title = "Sign in to your device with your Apple Account first"
        default: title = "It did not work: \(error.localizedDescription)"
        }
        onChange()
    }
}

extension SignInScreen: ASAuthorizationControllerPresentationContextProviding {
    func presentationAnchor(for controller: ASAuthorizationController) -> ASPresentationAnchor {
        window
    }
}
