import Foundation

/// Makes requests for Apple Accounts, and tells what became of earlier ones.
///
/// Source: [ASAuthorizationAppleIDProvider](https://developer.apple.com/documentation/authenticationservices/asauthorizationappleidprovider)
open class ASAuthorizationAppleIDProvider: NSObject, ASAuthorizationProvider {
    /// What the device knows of a person and this app.
    public enum CredentialState: Int, Sendable {
        /// The person stopped using Sign in with Apple for the app: sign them out.
        case revoked = 0
        /// The person uses Sign in with Apple for the app.
        case authorized = 1
        /// The device knows nothing of this person.
        case notFound = 2
        /// The app went to another team: ask for a sign-in to learn the new identifier.
        case transferred = 3
    }

    /// Posted while the app runs, when the person stops using Sign in with Apple for it.
    open class var credentialRevokedNotification: NSNotification.Name {
        NSNotification.Name("ASAuthorizationAppleIDCredentialRevokedNotification")
    }

    /// Makes a provider.
    public override init() { super.init() }

    /// Makes a request for the Apple Account of this device.
    open func createRequest() -> ASAuthorizationAppleIDRequest {
        ASAuthorizationAppleIDRequest(provider: self)
    }

    /// Tells the state of a credential on any thread; with `notFound` comes an error as well.
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

    /// Tells the state of a credential; throws for `notFound`, because an error comes with it.
    nonisolated(nonsending) open func credentialState(
        forUserID userID: String
    ) async throws -> CredentialState {
        let state = await SimulatedDevice.current.credentialState(forUserID: userID)
        if state == .notFound { throw ASAuthorizationError(.unknown) }
        return state
    }
}
