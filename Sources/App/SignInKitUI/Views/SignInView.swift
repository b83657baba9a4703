#if canImport(AuthenticationServices) && canImport(SwiftUI)
    import SignInKit
    import SwiftUI

    /// A form in which the user signs in: Apple's button, and a username and password where the server offers them.
    ///
    /// It restores the session at the launch, shows the team's logo and links of the server, and says why the user was
    /// signed out. Tint, fonts, button styles and the locale of the environment apply to it.
    public struct SignInView<Header: View>: View {
        private let session: SignInSession
        private let mode: SignInViewOptions.Mode
        private let options: SignInViewOptions
        private let header: Header
        @Environment(\.locale) private var locale
        @Environment(\.dismiss) private var dismiss
        @State private var isCreating = false
        @State private var isForgotten = false
        @State private var isMailSent = false
        @State private var isPasswordTried = false
        @State private var name = ""
        @State private var username = ""
        @State private var password = ""

        /// Creates the view with a header of your own.
        ///
        /// - Parameters:
        ///   - session: the app's session.
        ///   - mode: whether the view is a screen, or a sheet that dismisses itself.
        ///   - options: the button, the form, and what is offered.
        ///   - header: the view above Apple's button, instead of the server's logo.
        public init(
            _ session: SignInSession,
            mode: SignInViewOptions.Mode = .screen,
            options: SignInViewOptions = SignInViewOptions(),
            @ViewBuilder header: () -> Header
        ) {
            self.session = session
            self.mode = mode
            self.options = options
            self.header = header()
        }

        /// The view's body.
        public var body: some View {
            Form {
                if session.hasStarted {
                    top
                    messages
                    apple
                    if options.showsPasswordForm, session.methods.contains(.password) { form }
                    BrandLinks(offer: session.offer)
                } else {
                    ProgressView().accessibilityLabel(UIText.progress.text(locale))
                }
            }
            .formStyle(.grouped)
            .disabled(session.isBusy)
            .overlay {
                if session.isBusy {
                    ProgressView().accessibilityLabel(UIText.progress.text(locale))
                }
            }
            .modifier(ErrorAnnouncement(session: session))
            .task(id: session.hasStarted) {
                await session.start()
                await fillIn()
            }
            .onChange(of: session.person != nil) { _, isSignedIn in
                if isSignedIn, mode == .sheet { dismiss() }
            }
        }

        @ViewBuilder private var top: some View {
            if Header.self != EmptyView.self {
                Section { header }
            } else if let logo = session.offer.logo {
                BrandLogo(url: logo)
            }
        }

        @ViewBuilder private var messages: some View {
            if let text = session.signOutReason?.localizedMessage(in: locale) {
                Section { Text(text) }
            }
            if let attention = session.attention {
                Section {
                    Text(SignInKitError(attention).localizedMessage(in: locale))
                    if attention != .transferred {
                        ActionButton(.tryAgainButton) { await session.refresh() }
                    }
                }
            }
        }

        private var apple: some View {
            Section {
                SessionAppleButton(
                    session: session,
                    label: options.buttonLabel,
                    style: options.buttonStyle
                ) { isPasswordTried = false }
                if !isPasswordTried { ErrorLabel(session: session) }
                if mode == .sheet {
                    Button(UIText.cancelLink.text(locale), role: .cancel) { dismiss() }
                        .accessibilityIdentifier(UIText.cancelLink.identifier)
                }
            } header: {
                Text(UIText.signInTitle.text(locale))
            } footer: {
                Text(UIText.signInLead.text(locale))
            }
        }

        private var form: some View {
            Section {
                if isCreating {
                    TextField(UIText.nameOptional.text(locale), text: $name)
                        .textContentType(.name)
                        .accessibilityIdentifier(UIText.nameOptional.identifier)
                }
                UsernameField(
                    label: isCreating ? .username : .usernameOrEmail,
                    username: $username
                )
                SecureField(UIText.password.text(locale), text: $password)
                    .textContentType(isCreating ? .newPassword : .password)
                    .accessibilityIdentifier(UIText.password.identifier)
                if isPasswordTried { ErrorLabel(session: session) }
                ActionButton(isCreating ? .newAccountButton : .signInButton) { await submit() }
                    .disabled(username.isEmpty || password.isEmpty)
                ActionButton(isCreating ? .haveAccount : .newAccountTitle) { isCreating.toggle() }
                if !isCreating { forgottenPassword }
            } header: {
                Text((isCreating ? UIText.newAccountTitle : .passwordLead).text(locale))
            }
        }

        @ViewBuilder private var forgottenPassword: some View {
            ActionButton(.forgottenTitle) { isForgotten = true }
                .alert(UIText.forgottenTitle.text(locale), isPresented: $isForgotten) {
                    UsernameField(label: .usernameOrEmail, username: $username)
                    ActionButton(.sendLinkButton) { await requestLink() }
                    Button(UIText.cancelLink.text(locale), role: .cancel) {}
                } message: {
                    Text(UIText.forgottenLead.text(locale))
                }
            if isMailSent { Text(UIText.mailSentLead.text(locale)) }
        }

        private func requestLink() async {
            isPasswordTried = true
            let username = username
            let sent: Void? = await session.perform {
                try await $0.requestPasswordReset(for: username)
            }
            isMailSent = sent != nil
        }

        private func submit() async {
            isPasswordTried = true
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
            guard options.offersStoredCredentials, options.showsPasswordForm,
                let stored = await session.offerCredentialsOnce()
            else { return }
            username = stored.user
            password = stored.password
        }
    }

    extension SignInView where Header == EmptyView {
        /// Creates the view with the logo that the server has.
        ///
        /// - Parameters:
        ///   - session: the app's session.
        ///   - mode: whether the view is a screen, or a sheet that dismisses itself.
        ///   - options: the button, the form, and what is offered.
        public init(
            _ session: SignInSession,
            mode: SignInViewOptions.Mode = .screen,
            options: SignInViewOptions = SignInViewOptions()
        ) {
            self.init(session, mode: mode, options: options) { EmptyView() }
        }
    }

    /// The team's logo, unless its format cannot be shown, such as SVG.
    private struct BrandLogo: View {
        let url: URL

        var body: some View {
            AsyncImage(url: url) { phase in
                if let image = phase.image {
                    image.resizable().scaledToFit().frame(maxHeight: 80)
                        .frame(maxWidth: .infinity)
                }
            }
            .accessibilityHidden(true)
        }
    }

    /// The links to the team's terms of use and privacy policy.
    private struct BrandLinks: View {
        let offer: SignInOffer
        @Environment(\.locale) private var locale

        var body: some View {
            if offer.terms != nil || offer.privacy != nil {
                Section {
                    if let terms = offer.terms {
                        Link(UIText.termsLink.text(locale), destination: terms)
                            .accessibilityIdentifier(UIText.termsLink.identifier)
                    }
                    if let privacy = offer.privacy {
                        Link(UIText.privacyLink.text(locale), destination: privacy)
                            .accessibilityIdentifier(UIText.privacyLink.identifier)
                    }
                }
            }
        }
    }
#endif
