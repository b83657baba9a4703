import Foundation

/// Creates requests for Apple Accounts, and returns credential states.
///
/// Source: [ASAuthorizationAppleIDProvider](https://developer.apple.com/documentation/authenticationservices/asauthorizationappleidprovider)
open class ASAuthorizationAppleIDProvider: NSObject, ASAuthorizationProvider {
    /// The state of a user's credential for this app.
    public enum CredentialState: Int, Sendable {
        /// The user stopped using Sign in with Apple for the app: sign the user out.
        case revoked = 0
        /// The user uses Sign in with Apple for the app.
        case authorized = 1
        /// The device does not know this user.
        case notFound = 2
        /// The app was transferred to another team: a new sign-in returns the new identifier.
        case transferred = 3
    }

    /// Posted while the app runs, if the user stops using Sign in with Apple for it.
    open class var credentialRevokedNotification: NSNotification.Name {
        NSNotification.Name("ASAuthorizationAppleIDCredentialRevokedNotification")
    }

    /// Creates a provider.
    public override init() { super.init() }

    /// Creates a request for the device's Apple Account.
    open func createRequest() -> ASAuthorizationAppleIDRequest {
        ASAuthorizationAppleIDRequest(provider: self)
    }

    /// Passes a credential's state to `completion` on any thread, with the error `unknown` for `notFound`.
    open func getCredentialState(
        forUserID userID: String,
        completion: @escaping @Sendable (CredentialState, (any Error)?) -> Void
    ) {
        let device = SimulatedDevice.current
        Task {
            let state = await device.credentialState(forUserID: userID)
            completion(state, state == .notFound ? ASAuthorizationError(.unknown) : nil)
        }
    }

    /// Returns the state of a credential; throws ``ASAuthorizationError/Code/unknown`` for `notFound`.
    nonisolated(nonsending) open func credentialState(
        forUserID userID: String
    ) async throws -> CredentialState {
        let state = await SimulatedDevice.current.credentialState(forUserID: userID)
        if state == .notFound { throw ASAuthorizationError(.unknown) }
        return state
    }
}
