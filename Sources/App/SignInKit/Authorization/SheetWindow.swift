#if canImport(AuthenticationServices) || canImport(SimulatedAuthenticationServices)
    #if !os(watchOS)
        import Foundation

        #if canImport(AuthenticationServices)
            import AuthenticationServices
        #else
            import SimulatedAuthenticationServices
        #endif

        /// The window of one sheet, which is known before the sheet is requested.
        @MainActor final class SheetWindow: NSObject {
            private let anchor: ASPresentationAnchor

            init(_ anchor: ASPresentationAnchor) {
                self.anchor = anchor
            }
        }

        extension SheetWindow: ASAuthorizationControllerPresentationContextProviding {
            func presentationAnchor(for controller: ASAuthorizationController)
                -> ASPresentationAnchor
            {
                anchor
            }
        }

        #if !os(tvOS)
            extension SheetWindow: ASWebAuthenticationPresentationContextProviding {
                func presentationAnchor(for session: ASWebAuthenticationSession)
                    -> ASPresentationAnchor
                {
                    anchor
                }
            }
        #endif

        extension AuthorizationFailure {
            /// The system's sheet over an empty window fails later, without the cause.
            static let withoutWindow = AuthorizationFailure(
                .noWindow,
                hint: "the app has no window in the foreground: wait until its scene is active"
            )
        }
    #endif
#endif
