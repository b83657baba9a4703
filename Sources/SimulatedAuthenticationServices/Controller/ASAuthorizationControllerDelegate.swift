import Foundation

/// Hears how a run of a controller ends, on the main actor; both methods may be left out.
///
/// Source: [ASAuthorizationControllerDelegate](https://developer.apple.com/documentation/authenticationservices/asauthorizationcontrollerdelegate)
@MainActor public protocol ASAuthorizationControllerDelegate: NSObjectProtocol {
    /// The person agreed.
    func authorizationController(
        controller: ASAuthorizationController,
        didCompleteWithAuthorization authorization: ASAuthorization
    )

    /// There is no credential.
    func authorizationController(
        controller: ASAuthorizationController,
        didCompleteWithError error: any Error
    )
}

extension ASAuthorizationControllerDelegate {
    /// Does nothing: the method may be left out.
    public func authorizationController(
        controller: ASAuthorizationController,
        didCompleteWithAuthorization authorization: ASAuthorization
    ) {}

    /// Does nothing: the method may be left out.
    public func authorizationController(
        controller: ASAuthorizationController,
        didCompleteWithError error: any Error
    ) {}
}

/// Tells the window over which a sheet is shown.
///
/// Source: [ASAuthorizationControllerPresentationContextProviding](https://developer.apple.com/documentation/authenticationservices/asauthorizationcontrollerpresentationcontextproviding)
@MainActor public protocol ASAuthorizationControllerPresentationContextProviding: NSObjectProtocol {
    /// The window.
    func presentationAnchor(for controller: ASAuthorizationController) -> ASPresentationAnchor
}

/// The window of a sheet, here any: a terminal has none.
@MainActor open class SimulatedWindow: NSObject {
    /// Makes a window.
    public nonisolated override init() { super.init() }
}

/// The window of a sheet.
public typealias ASPresentationAnchor = SimulatedWindow
