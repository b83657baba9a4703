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
            /// The window of the button that started the current task; nil for a button of another kind.
            @TaskLocal package static var pressed: ASPresentationAnchor?

            /// The window of the pressed button, or else the key window; nil if the app has no window in the foreground.
            ///
            /// On Linux it is never nil.
            public static var anchor: ASPresentationAnchor? {
                #if canImport(UIKit)
                    if let pressed, pressed.windowScene != nil { return pressed }
                    let scenes = (application?.connectedScenes ?? [])
                        .compactMap { $0 as? UIWindowScene }
                    let active = scenes.filter { $0.activationState == .foregroundActive }
                    let shown =
                        active.isEmpty
                        ? scenes.filter { $0.activationState == .foregroundInactive } : active
                    let windows = shown.flatMap(\.windows)
                    return windows.first { $0.isKeyWindow } ?? shown.first?.keyWindow
                        ?? windows.first { !$0.isHidden }
                #elseif canImport(AppKit)
                    if let pressed, pressed.isVisible { return pressed }
                    let application = NSApplication.shared
                    return application.keyWindow ?? application.windows.first { $0.isVisible }
                #else
                    return ASPresentationAnchor()
                #endif
            }

            #if canImport(UIKit)
                /// The app; nil in an extension, which has none and may not name `UIApplication.shared`.
                private static var application: UIApplication? {
                    guard Bundle.main.bundleURL.pathExtension != "appex" else { return nil }
                    return UIApplication.value(forKey: "sharedApplication") as? UIApplication
                }
            #endif
        }
    #endif
#endif
