#if canImport(AuthenticationServices) && canImport(SwiftUI)
    import SignInKit
    import SwiftUI

    /// The form for another password, or for the first one with a username.
    struct PasswordView: View {
        let session: SignInSession
        let isFirst: Bool
        @Environment(\.dismiss) private var dismiss
        @Environment(\.locale) private var locale
        @State private var username = ""
        @State private var current = ""
        @State private var new = ""
        @State private var confirmed: (@MainActor () async -> Void)?

        var body: some View {
            Form {
                Section((isFirst ? UIText.addPassword : .changePassword).text(locale)) {
                    if isFirst {
                        UsernameField(username: $username)
                    } else {
                        SecureField(UIText.currentPassword.text(locale), text: $current)
                            .textContentType(.password)
                    }
                    SecureField(UIText.newPassword.text(locale), text: $new)
                        .textContentType(.newPassword)
                    ErrorLabel(session: session)
                    ActionButton(.saveButton) { await save() }
                    Button(UIText.cancelLink.text(locale), role: .cancel) { dismiss() }
                }
            }
            .formStyle(.grouped)
            .disabled(session.isBusy)
            .modifier(ErrorAnnouncement(session: session))
            .modifier(PasswordConfirmation(session: session, confirmed: $confirmed))
        }

        private func save() async {
            let (username, current, new) = (username, current, new)
            let saved: Void? = await session.perform {
                try await $0.changePassword(
                    current: isFirst ? nil : current,
                    new: new,
                    username: isFirst ? username : nil
                )
            }
            if saved != nil { return dismiss() }
            if session.error?.asksForFreshSignIn == true, !isFirst {
                (session.error, confirmed) = (nil, { await save() })
            }
        }
    }

    /// Asks for the password again, and repeats the operation that required it.
    struct PasswordConfirmation: ViewModifier {
        let session: SignInSession
        @Binding var confirmed: (@MainActor () async -> Void)?
        @Environment(\.locale) private var locale
        @State private var password = ""

        func body(content: Content) -> some View {
            content.alert(UIText.confirmationTitle.text(locale), isPresented: isPresented) {
                SecureField(UIText.password.text(locale), text: $password)
                    .textContentType(.password)
                ActionButton(.confirmButton) { await confirm() }
                Button(UIText.cancelLink.text(locale), role: .cancel) {
                    password = ""
                    confirmed = nil
                }
            } message: {
                Text(UIText.confirmationLead.text(locale))
            }
        }

        private var isPresented: Binding<Bool> {
            Binding {
                confirmed != nil
            } set: { isShown in
                // The button's action still needs the operation.
                if !isShown, password.isEmpty { confirmed = nil }
            }
        }

        private func confirm() async {
            let operation = confirmed
            let username = session.person?.account.username ?? ""
            confirmed = nil
            await session.signIn(username: username, password: password)
            password = ""
            if session.error == nil { await operation?() }
        }
    }
#endif
