#if canImport(AuthenticationServices) || canImport(SimulatedAuthenticationServices)
    #if !os(watchOS)
        #if canImport(AuthenticationServices)
            import AuthenticationServices
        #else
            import SimulatedAuthenticationServices
        #endif

        #if canImport(UIKit)
            import UIKit
        #elseif canImport(AppKit)
            import AppKit
        #endif

        /// The window that the user looks at, over which Apple's sheets are shown.
        @MainActor public enum KeyWindow {
            /// The key window; nil if the app has no window in the foreground.
            ///
            /// On Linux it is never nil.
            public static var anchor: ASPresentationAnchor? {
                #if canImport(UIKit)
                    let scenes = UIApplication.shared.connectedScenes
                        .compactMap { $0 as? UIWindowScene }
                    let scene =
                        scenes.first { $0.activationState == .foregroundActive }
                        ?? scenes.first { $0.activationState == .foregroundInactive }
                    return scene?.keyWindow ?? scene?.windows.first { !$0.isHidden }
                #elseif canImport(AppKit)
                    let application = NSApplication.shared
                    return application.keyWindow ?? application.windows.first { $0.isVisible }
                #else
                    return ASPresentationAnchor()
                #endif
            }
        }
    #endif
#endif
