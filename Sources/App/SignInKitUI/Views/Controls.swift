#if canImport(AuthenticationServices) && canImport(SwiftUI)
    import AuthenticationServices
    import SignInKit
    import SwiftUI

    /// A button whose action runs to its end.
    struct ActionButton: View {
        private let label: UIText
        private let role: ButtonRole?
        private let action: @MainActor () async -> Void
        @Environment(\.locale) private var locale

        init(
            _ label: UIText,
            role: ButtonRole? = nil,
            action: @escaping @MainActor () async -> Void
        ) {
            self.label = label
            self.role = role
            self.action = action
        }

        var body: some View {
            Button(label.text(locale), role: role) {
                Task { await action() }
            }
            .accessibilityIdentifier(label.identifier)
        }
    }

    /// The error of the last action.
    struct ErrorLabel: View {
        let session: SignInSession
        @Environment(\.locale) private var locale

        var body: some View {
            if let error = session.error {
                Label(
                    error.localizedMessage(in: locale),
                    systemImage: "exclamationmark.triangle"
                )
                .foregroundStyle(.red)
                .accessibilityIdentifier("siwa.error")
            }
        }
    }

    /// Lets VoiceOver say each error as it appears.
    struct ErrorAnnouncement: ViewModifier {
        let session: SignInSession?
        @Environment(\.locale) private var locale

        func body(content: Content) -> some View {
            content.onChange(of: session?.error) { _, error in
                guard let error else { return }
                AccessibilityNotification.Announcement(error.localizedMessage(in: locale)).post()
            }
        }
    }

    /// A field for a username, which the keyboard does not correct or capitalize.
    struct UsernameField: View {
        var label = UIText.username
        @Binding var username: String
        @Environment(\.locale) private var locale

        var body: some View {
            TextField(label.text(locale), text: $username)
                .accessibilityIdentifier(UIText.username.identifier)
                .textContentType(.username)
                .autocorrectionDisabled()
                #if !os(macOS)
                    .textInputAutocapitalization(.never)
                #endif
        }
    }

    /// A field for an email address.
    struct EmailField: View {
        @Binding var address: String
        @Environment(\.locale) private var locale

        var body: some View {
            TextField(UIText.emailAddress.text(locale), text: $address)
                .accessibilityIdentifier(UIText.emailAddress.identifier)
                .textContentType(.emailAddress)
                .autocorrectionDisabled()
                #if os(iOS) || os(tvOS) || os(visionOS)
                    .keyboardType(.emailAddress)
                    .textInputAutocapitalization(.never)
                #endif
        }
    }

    /// Apple's button; watchOS and tvOS have one of their own that makes the request itself.
    struct SessionAppleButton: View {
        let session: SignInSession
        let label: AppleButtonLabel
        let style: AppleButtonStyle
        /// Called before the sign-in.
        let onPress: @MainActor () -> Void

        var body: some View {
            button.accessibilityIdentifier("siwa.apple")
        }

        @ViewBuilder private var button: some View {
            #if os(watchOS) || os(tvOS)
                SignInWithAppleButton { request in
                    session.prepare(request)
                } onCompletion: { result in
                    Task { await session.signIn(with: result) }
                }
            #else
                AppleSignInButton(label, style: style) {
                    onPress()
                    Task { await session.signInWithApple() }
                }
            #endif
        }
    }
#endif
