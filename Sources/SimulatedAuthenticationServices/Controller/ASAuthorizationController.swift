import Foundation

/// Asks the person for a credential, by a sheet of the device.
///
/// It keeps itself alive while it runs, and calls its delegate once for each run.
///
/// Source: [ASAuthorizationController](https://developer.apple.com/documentation/authenticationservices/asauthorizationcontroller)
open class ASAuthorizationController: NSObject {
    /// How a run behaves.
    public struct RequestOptions: OptionSet, Sendable {
        /// The options' bits.
        public let rawValue: UInt

        /// Makes options from their bits.
        public init(rawValue: UInt) { self.rawValue = rawValue }

        /// Shows a sheet only when the device has a credential; else ends at once, as cancelled.
        public static let preferImmediatelyAvailableCredentials = RequestOptions(rawValue: 1 << 0)
    }

    /// What is asked for.
    public let authorizationRequests: [ASAuthorizationRequest]
    /// Hears how a run ends; the controller does not keep it alive.
    open weak var delegate: (any ASAuthorizationControllerDelegate)?
    /// Tells the window of the sheet; the controller does not keep it alive.
    open weak var presentationContextProvider:
        (any ASAuthorizationControllerPresentationContextProviding)?

    private var run: AuthorizationRun?

    /// Makes a controller.
    public init(authorizationRequests: [ASAuthorizationRequest]) {
        self.authorizationRequests = authorizationRequests
        super.init()
    }

    /// Asks for all requests at once; one credential comes back.
    open func performRequests() { performRequests(options: []) }

    /// Asks for all requests at once; one credential comes back.
    open func performRequests(options: RequestOptions = []) {
        let device = SimulatedDevice.current
        let order = AuthorizationOrder(authorizationRequests, options: options)
        let run = AuthorizationRun()
        self.run = run
        let controller = MainActorDelivery(self)
        run.start {
            await controller.askForAnchor()
            let outcome = await device.authorize(order)
            await controller.finish(run, with: outcome)
        }
    }

    /// Ends a run, as cancelled.
    open func cancel() {
        guard let run, run.cancel() else { return }
        let controller = MainActorDelivery(self)
        Task { await controller.tell(.failure(ASAuthorizationError(.canceled))) }
    }

    fileprivate var providers: [any ASAuthorizationProvider] {
        authorizationRequests.map(\.provider)
    }
}

/// A controller belongs to whoever made it.
@available(*, unavailable)
extension ASAuthorizationController: Sendable {}

extension MainActorDelivery<ASAuthorizationController> {
    @MainActor fileprivate func askForAnchor() {
        _ = content.presentationContextProvider?.presentationAnchor(for: content)
    }

    @MainActor fileprivate func finish(_ run: AuthorizationRun, with outcome: AuthorizationOutcome)
    {
        if run.finish() { tell(outcome) }
    }

    @MainActor fileprivate func tell(_ outcome: AuthorizationOutcome) {
        switch outcome {
        case .success(let credential):
            content.delegate?.authorizationController(
                controller: content,
                didCompleteWithAuthorization: credential.authorization(by: content.providers)
            )
        case .failure(let error):
            content.delegate?.authorizationController(
                controller: content,
                didCompleteWithError: error
            )
        }
    }
}

extension AuthorizedContent {
    /// The authorization, by the provider whose request was answered.
    fileprivate func authorization(by providers: [any ASAuthorizationProvider]) -> ASAuthorization {
        switch self {
        case .apple(let content):
            ASAuthorization(
                provider: providers.first { $0 is ASAuthorizationAppleIDProvider }
                    ?? ASAuthorizationAppleIDProvider(),
                credential: ASAuthorizationAppleIDCredential(content)
            )
        case .password(let user, let password):
            ASAuthorization(
                provider: providers.first { $0 is ASAuthorizationPasswordProvider }
                    ?? ASAuthorizationPasswordProvider(),
                credential: ASPasswordCredential(user: user, password: password)
            )
        }
    }
}
