#if canImport(AuthenticationServices) && canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
    import SignInKit
    import SwiftUI

    /// What the person has to act upon before going on, and the button for it.
    public struct AttentionScreen: View {
        private let attention: Attention
        private let model: SignInModel

        /// Makes the screen.
        ///
        /// - Parameters:
        ///   - attention: what happened.
        ///   - model: what is shown and done.
        public init(_ attention: Attention, model: SignInModel) {
            self.attention = attention
            self.model = model
        }

        /// The screen.
        public var body: some View {
            VStack(spacing: 20) {
                Text(attention.title).font(.title2.bold())
                Text(attention.sentence).multilineTextAlignment(.center)
                if attention.isSolvedByTryingAgain {
                    Button("Try Again") {
                        Task { await model.lookAgain() }
                    }
                    .buttonStyle(.borderedProminent)
                } else {
                    AppleSignInButton(.continue) {
                        Task { await model.signInWithApple() }
                    }
                }
                Button("Sign Out") {
                    Task { await model.signOut() }
                }
                FailureText(model: model)
                if model.isWorking { ProgressView() }
            }
            .frame(maxWidth: 375)
            .padding()
            .disabled(model.isWorking)
        }
    }
#endif
