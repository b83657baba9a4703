#if canImport(AuthenticationServices) && canImport(SwiftUI)
    import SignInKit
    import SwiftUI

    /// The form for another password, or for the first one with a username.
    struct PasswordView: View {
        let session: SignInSession
        let isFirst: Bool
        @Environment(\.dismiss) private var dismiss
        @State private var username = ""
        @State private var current = ""
        @State private var new = ""
        @State private var confirmed: (@MainActor () async -> Void)?

        var body: some View {
            Form {
                ErrorSection(session: session)
                Section((isFirst ? UIText.addPassword : .changePassword).text) {
                    if isFirst {
                        UsernameField(username: $username)
                    } else {
                        SecureField(UIText.currentPassword.text, text: $current)
                            .textContentType(.password)
                    }
                    SecureField(UIText.newPassword.text, text: $new).textContentType(.newPassword)
                    ActionButton(.saveButton) { await save() }
                    Button(UIText.cancelLink.text, role: .cancel) { dismiss() }
                }
            }
            .formStyle(.grouped)
            .disabled(session.isBusy)
            .modifier(PasswordConfirmation(session: session, confirmed: $confirmed))
        }

        private func save() async {
            let (username, current, new) = (username, current, new)
            await session.perform {
                try await $0.changePassword(
                    current: isFirst ? nil : current,
                    new: new,
                    username: isFirst ? username : nil
                )
            }
            if session.error?.asksForFreshSignIn == true { confirmed = { await save() } }
            if session.error == nil { dismiss() }
        }
    }

    /// Asks for the password again, and repeats the operation that required it.
    struct PasswordConfirmation: ViewModifier {
        let session: SignInSession
        @Binding var confirmed: (@MainActor () async -> Void)?
        @State private var password = ""

        func body(content: Content) -> some View {
            content.alert(UIText.confirmationTitle.text, isPresented: isPresented) {
                SecureField(UIText.password.text, text: $password).textContentType(.password)
                ActionButton(.confirmButton) { await confirm() }
                Button(UIText.cancelLink.text, role: .cancel) {
                    password = ""
                    confirmed = nil
                }
            } message: {
                Text(UIText.confirmationLead.text)
            }
        }

        private var isPresented: Binding<Bool> {
            Binding {
                confirmed != nil && session.person?.account.username != nil
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
