import JuiceApp
import SignInKit
import SignInKitUI
import SwiftUI

/// The sections of the sign-in screen: Apple's button, and the form for a password.
struct LoginView: View {
    let model: JuiceModel
    let login: LoginScreen
    @State private var username = ""
    @State private var password = ""

    var body: some View {
        Section {
            AppleSignInButton {
                Task { await model.signInWithApple() }
            }
            if login.offersBrowser {
                ActionButton(label: JuiceTexts.signInWithBrowser) {
                    await model.signInWithBrowser()
                }
            }
        } header: {
            Text(JuiceTexts.loginTitle)
        } footer: {
            Text(JuiceTexts.loginLead)
        }
        storedPassword
        Section(JuiceTexts.passwordHeading) {
            UsernameField(label: JuiceTexts.usernameOrEmail, username: $username)
                .onChange(of: login.username, initial: true) { _, stored in
                    if let stored { username = stored }
                }
            SecureField(JuiceTexts.password, text: $password).textContentType(.password)
            ActionButton(label: JuiceTexts.signIn) {
                await model.signIn(username: username, password: password)
            }
            Button(JuiceTexts.createAccount) { model.showCreateAccount() }
        }
    }

    @ViewBuilder private var storedPassword: some View {
        if let user = login.username, login.hasStoredPassword {
            Section {
                ActionButton(label: JuiceTexts.useStoredPassword(of: user)) {
                    await model.signInWithStoredPassword()
                }
            } footer: {
                Text(JuiceTexts.storedPassword(of: user))
            }
        }
    }
}

/// The form for a new account with a password.
struct CreateAccountView: View {
    let model: JuiceModel
    @State private var name = ""
    @State private var username = ""
    @State private var password = ""

    var body: some View {
        Section(JuiceTexts.createAccount) {
            TextField(JuiceTexts.nameOptional, text: $name).textContentType(.name)
            UsernameField(username: $username)
            SecureField(JuiceTexts.password, text: $password).textContentType(.newPassword)
            ActionButton(label: JuiceTexts.createAccount) {
                await model.createAccount(username: username, password: password, name: name)
            }
        }
        Button(JuiceTexts.back) { model.showLogin() }
    }
}

/// A field for a username, which the keyboard does not correct or capitalize.
struct UsernameField: View {
    var label = JuiceTexts.username
    @Binding var username: String

    var body: some View {
        TextField(label, text: $username)
            .textContentType(.username)
            .autocorrectionDisabled()
            #if !os(macOS)
                .textInputAutocapitalization(.never)
            #endif
    }
}

/// The screen that requires the user to act.
struct AttentionView: View {
    let model: JuiceModel
    let texts: (title: String, sentence: String, nextStep: String)

    var body: some View {
        Section(texts.title) {
            Text(texts.sentence)
            ActionButton(label: texts.nextStep) { await model.answerAttention() }
        }
    }
}
