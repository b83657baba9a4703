#if canImport(AuthenticationServices) && canImport(SwiftUI)
    import SignInKit
    import SwiftUI

    /// A form in which the user signs in: Apple's button, and a username and password where the server offers them.
    ///
    /// It restores the session at the launch, and shows why the user was signed out. Tint, fonts and button styles of the
    /// environment apply to it.
    public struct SignInView: View {
        private let session: SignInSession
        @State private var isCreating = false
        @State private var isForgotten = false
        @State private var isMailSent = false
        @State private var name = ""
        @State private var username = ""
        @State private var password = ""

        /// Creates the view.
        ///
        /// - Parameter session: the app's session.
        public init(_ session: SignInSession) {
            self.session = session
        }

        /// The view's body.
        public var body: some View {
            Form {
                if session.hasStarted {
                    messages
                    apple
                    if session.methods.contains(.password) { form }
                } else {
                    ProgressView()
                }
            }
            .formStyle(.grouped)
            .disabled(session.isBusy)
            .overlay { if session.isBusy { ProgressView() } }
            .task {
                await session.start()
                await fillIn()
            }
        }

        @ViewBuilder private var messages: some View {
            if let attention = session.attention {
                Section {
                    Text(SignInKitError(attention).localizedMessage)
                    if attention == .registrationPending || attention == .registrationUnsaved {
                        ActionButton(.tryAgainButton) { await session.refresh() }
                    }
                }
            }
            ErrorSection(session: session)
        }

        private var apple: some View {
            Section {
                SessionAppleButton(session: session)
            } header: {
                Text(UIText.signInTitle.text)
            } footer: {
                Text(UIText.signInLead.text)
            }
        }

        private var form: some View {
            Section {
                if isCreating {
                    TextField(UIText.nameOptional.text, text: $name).textContentType(.name)
                }
                UsernameField(username: $username)
                SecureField(UIText.password.text, text: $password)
                    .textContentType(isCreating ? .newPassword : .password)
                ActionButton(isCreating ? .newAccountButton : .signInButton) { await submit() }
                    .disabled(username.isEmpty || password.isEmpty)
                Button(isCreating ? UIText.haveAccount.text : UIText.newAccountTitle.text) {
                    isCreating.toggle()
                }
                if !isCreating { forgottenPassword }
            } header: {
                Text(isCreating ? UIText.newAccountTitle.text : UIText.passwordLead.text)
            }
        }

        @ViewBuilder private var forgottenPassword: some View {
            Button(UIText.forgottenTitle.text) { isForgotten = true }
                .alert(UIText.forgottenTitle.text, isPresented: $isForgotten) {
                    UsernameField(username: $username)
                    ActionButton(.sendLinkButton) { await requestLink() }
                    Button(UIText.cancelLink.text, role: .cancel) {}
                } message: {
                    Text(UIText.forgottenLead.text)
                }
            if isMailSent { Text(UIText.mailSentLead.text) }
        }

        private func requestLink() async {
            let username = username
            let sent: Void? = await session.perform {
                try await $0.requestPasswordReset(for: username)
            }
            isMailSent = sent != nil
        }

        private func submit() async {
            if isCreating {
                await session.createAccount(
                    username: username,
                    password: password,
                    name: name.isEmpty ? nil : name
                )
            } else {
                await session.signIn(username: username, password: password)
            }
            if session.error == nil { password = "" }
        }

        /// Offers what the device has stored.
        private func fillIn() async {
            guard session.state == .signedOut,
                let stored = await session.findExistingCredential()
            else { return }
            username = stored.user
            password = stored.password
        }
    }
#endif
