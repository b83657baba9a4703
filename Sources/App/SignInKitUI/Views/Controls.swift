#if canImport(AuthenticationServices) && canImport(SwiftUI)
    import AuthenticationServices
    import SignInKit
    import SwiftUI

    /// A button whose action runs to its end.
    struct ActionButton: View {
        private let label: UIText
        private let role: ButtonRole?
        private let action: @MainActor () async -> Void

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
            Button(label.text, role: role) {
                Task { await action() }
            }
        }
    }

    /// The error of the last action.
    struct ErrorSection: View {
        let session: SignInSession

        var body: some View {
            if let error = session.error {
                Section {
                    Label(error.localizedMessage, systemImage: "exclamationmark.triangle")
                        .foregroundStyle(.red)
                }
            }
        }
    }

    /// A field for a username, which the keyboard does not correct or capitalize.
    struct UsernameField: View {
        @Binding var username: String

        var body: some View {
            TextField(UIText.username.text, text: $username)
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

        var body: some View {
            TextField(UIText.emailAddress.text, text: $address)
                .textContentType(.emailAddress)
                .autocorrectionDisabled()
                #if os(iOS) || os(tvOS) || os(visionOS)
                    .keyboardType(.emailAddress)
                    .textInputAutocapitalization(.never)
                #endif
        }
    }

    /// Apple's button; watchOS and tvOS have one that makes the request itself.
    struct SessionAppleButton: View {
        let session: SignInSession

        var body: some View {
            #if os(watchOS) || os(tvOS)
                SignInWithAppleButton { request in
                    session.prepare(request)
                } onCompletion: { result in
                    Task { await session.signIn(with: result) }
                }
            #else
                AppleSignInButton {
                    Task { await session.signInWithApple() }
                }
            #endif
        }
    }
#endif
