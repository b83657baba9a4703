#if canImport(AuthenticationServices) && canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
    import AuthenticationServices

    #if os(macOS)
        import AppKit
    #else
        import UIKit
    #endif

    /// The window that the person looks at, over which Apple's sheets are shown.
    @MainActor public enum KeyWindow {
        /// The window, for `SystemAuthorization` of SignInKit; one that nobody sees when the app has none.
        public static var anchor: ASPresentationAnchor {
            #if os(macOS)
                let application = NSApplication.shared
                return application.keyWindow ?? application.windows.first ?? ASPresentationAnchor()
            #else
                let scenes = UIApplication.shared.connectedScenes
                    .compactMap { $0 as? UIWindowScene }
                let scene = scenes.first { $0.activationState == .foregroundActive } ?? scenes.first
                return scene?.keyWindow ?? scene?.windows.first ?? ASPresentationAnchor()
            #endif
        }
    }
#endif
