import Foundation

/// Performs authorization requests with a sheet of the device.
///
/// It stays alive until it has called its delegate, once for each call of ``performRequests()``.
///
/// Source: [ASAuthorizationController](https://developer.apple.com/documentation/authenticationservices/asauthorizationcontroller)
open class ASAuthorizationController: NSObject {
    /// Options for performing requests.
    public struct RequestOptions: OptionSet, Sendable {
        /// The options' bits.
        public let rawValue: UInt

        /// Creates options from their bits.
        public init(rawValue: UInt) { self.rawValue = rawValue }

        /// Shows a sheet only if the device has a credential; otherwise fails with `canceled`.
        public static let preferImmediatelyAvailableCredentials = RequestOptions(rawValue: 1 << 0)
    }

    /// The requests to perform.
    public let authorizationRequests: [ASAuthorizationRequest]
    /// The receiver of the result (a weak reference).
    open weak var delegate: (any ASAuthorizationControllerDelegate)?
    /// Provides the window for the sheet (a weak reference).
    open weak var presentationContextProvider:
        (any ASAuthorizationControllerPresentationContextProviding)?

    private var run: AuthorizationRun?

    /// Creates a controller for requests.
    public init(authorizationRequests: [ASAuthorizationRequest]) {
        self.authorizationRequests = authorizationRequests
        super.init()
    }

    /// Performs all requests together; the delegate receives one credential or an error.
    open func performRequests() { performRequests(options: []) }

    /// Performs all requests together with options, such as to show a sheet only for credentials on the device.
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

    /// Cancels the running requests; the delegate receives ``ASAuthorizationError/Code/canceled``.
    open func cancel() {
        guard let run, run.cancel() else { return }
        let controller = MainActorDelivery(self)
        Task { await controller.tell(.failure(ASAuthorizationError(.canceled))) }
    }

    fileprivate var providers: [any ASAuthorizationProvider] {
        authorizationRequests.map(\.provider)
    }
}

/// A controller stays with the code that created it.
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
    /// The authorization, with the provider of the fulfilled request.
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
