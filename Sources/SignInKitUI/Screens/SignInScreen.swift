#if canImport(AuthenticationServices) && canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
    import SignInKit
    import SwiftUI

    /// Both ways in: Apple's button first, the form for a password below it.
    public struct SignInScreen: View {
        @Bindable private var model: SignInModel
        private let title: LocalizedStringKey

        /// Makes the screen.
        ///
        /// - Parameters:
        ///   - title: what stands above the ways in, mostly the app's name.
        ///   - model: what is shown and done.
        public init(_ title: LocalizedStringKey, model: SignInModel) {
            self.title = title
            _model = Bindable(wrappedValue: model)
        }

        /// The screen.
        public var body: some View {
            ScrollView {
                VStack(spacing: 20) {
                    Text(title).font(.largeTitle.bold())
                    AppleSignInButton {
                        Task { await model.signInWithApple() }
                    }
                    .disabled(model.isWorking)
                    Text("or").foregroundStyle(.secondary)
                    PasswordFields(model: model)
                    purposeButton
                    FailureText(model: model)
                    if model.isWorking { ProgressView() }
                }
                .frame(maxWidth: 375)
                .padding()
                .frame(maxWidth: .infinity)
            }
            .task { await model.offerExistingCredential() }
        }

        private var purposeButton: some View {
            Button(
                model.form.purpose == .signIn ? "Create a new account" : "I have an account already"
            ) {
                model.dismissError()
                model.form.purpose = model.form.purpose == .signIn ? .createAccount : .signIn
            }
            .font(.footnote)
            .disabled(model.isWorking)
        }
    }

    /// What failed last, in a sentence; nothing when nothing did.
    struct FailureText: View {
        let model: SignInModel

        var body: some View {
            if let error = model.error {
                Label(error.message, systemImage: "exclamationmark.triangle")
                    .font(.callout)
                    .foregroundStyle(.red)
                    .accessibilityIdentifier("failure")
            }
        }
    }
#endif
