#if canImport(AuthenticationServices) && canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
    import AuthenticationServices
    import SignInKit
    import SwiftUI

    #if os(macOS)
        import AppKit
    #else
        import UIKit
    #endif

    /// The target of the system's button, which calls no closures.
    @MainActor final class AppleButtonTarget: NSObject {
        var action: @MainActor () -> Void

        init(action: @escaping @MainActor () -> Void) {
            self.action = action
            super.init()
        }

        /// Apple's sheet appears over the window of the button.
        @objc func press(_ button: ASAuthorizationAppleIDButton) {
            KeyWindow.$pressed.withValue(button.window) { action() }
        }
    }

    /// The system's button as a view of SwiftUI.
    struct AppleButtonRepresentable {
        let look: AppleButtonLook
        let cornerRadius: Double
        let action: @MainActor () -> Void

        @MainActor func makeCoordinator() -> AppleButtonTarget {
            AppleButtonTarget(action: action)
        }

        @MainActor private func makeButton() -> ASAuthorizationAppleIDButton {
            ASAuthorizationAppleIDButton(
                authorizationButtonType: look.label.systemType,
                authorizationButtonStyle: look.shown.systemStyle
            )
        }

        @MainActor private func update(
            _ button: ASAuthorizationAppleIDButton,
            _ target: AppleButtonTarget,
            isEnabled: Bool
        ) {
            target.action = action
            button.cornerRadius = CGFloat(cornerRadius)
            button.isEnabled = isEnabled
        }
    }

    #if os(macOS)
        extension AppleButtonRepresentable: NSViewRepresentable {
            func makeNSView(context: Context) -> ASAuthorizationAppleIDButton {
                let button = makeButton()
                button.target = context.coordinator
                button.action = #selector(AppleButtonTarget.press(_:))
                return button
            }

            func updateNSView(_ button: ASAuthorizationAppleIDButton, context: Context) {
                update(button, context.coordinator, isEnabled: context.environment.isEnabled)
            }
        }
    #else
        extension AppleButtonRepresentable: UIViewRepresentable {
            func makeUIView(context: Context) -> ASAuthorizationAppleIDButton {
                let button = makeButton()
                button.addTarget(
                    context.coordinator,
                    action: #selector(AppleButtonTarget.press(_:)),
                    for: .touchUpInside
                )
                return button
            }

            func updateUIView(_ button: ASAuthorizationAppleIDButton, context: Context) {
                update(button, context.coordinator, isEnabled: context.environment.isEnabled)
            }
        }
    #endif

    extension AppleButtonLabel {
        fileprivate var systemType: ASAuthorizationAppleIDButton.ButtonType {
            switch self {
            case .signIn: .signIn
            case .signUp: .signUp
            case .continue: .continue
            }
        }
    }

    extension AppleButtonStyle.Shown {
        fileprivate var systemStyle: ASAuthorizationAppleIDButton.Style {
            switch self {
            case .black: .black
            case .white: .white
            case .whiteOutline: .whiteOutline
            }
        }
    }
#endif
