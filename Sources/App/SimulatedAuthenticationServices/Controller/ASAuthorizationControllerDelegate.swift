import Foundation

/// Receives the result of authorization requests on the main actor; both methods are optional.
///
/// Source: [ASAuthorizationControllerDelegate](https://developer.apple.com/documentation/authenticationservices/asauthorizationcontrollerdelegate)
@MainActor public protocol ASAuthorizationControllerDelegate: NSObjectProtocol {
    /// Receives the authorization.
    func authorizationController(
        controller: ASAuthorizationController,
        didCompleteWithAuthorization authorization: ASAuthorization
    )

    /// Receives the error of a failed authorization.
    func authorizationController(
        controller: ASAuthorizationController,
        didCompleteWithError error: any Error
    )
}

extension ASAuthorizationControllerDelegate {
    /// Does nothing, because the method is optional.
    public func authorizationController(
        controller: ASAuthorizationController,
        didCompleteWithAuthorization authorization: ASAuthorization
    ) {}

    /// Does nothing, because the method is optional.
    public func authorizationController(
        controller: ASAuthorizationController,
        didCompleteWithError error: any Error
    ) {}
}

/// Provides the window over which a sheet is shown.
///
/// Source: [ASAuthorizationControllerPresentationContextProviding](https://developer.apple.com/documentation/authenticationservices/asauthorizationcontrollerpresentationcontextproviding)
@MainActor public protocol ASAuthorizationControllerPresentationContextProviding: NSObjectProtocol {
    /// Returns the window for a controller's sheet.
    func presentationAnchor(for controller: ASAuthorizationController) -> ASPresentationAnchor
}

/// A stand-in for a window; any instance is accepted.
@MainActor open class SimulatedWindow: NSObject {
    /// Creates a window.
    public nonisolated override init() { super.init() }
}

/// The window of a sheet.
public typealias ASPresentationAnchor = SimulatedWindow
