import JuiceApp
import SignInKitUI
import SwiftUI

/// The sections of the account screen: profile, sign-in methods, sessions, and deletion.
struct JuiceAccountView: View {
    let model: JuiceModel
    let account: AccountScreen

    var body: some View {
        Section {
            LabeledContent(JuiceTexts.name, value: account.name)
            LabeledContent(JuiceTexts.email, value: account.email)
            LabeledContent(JuiceTexts.waysIn, value: account.waysIn.joined(separator: ", "))
            LabeledContent(JuiceTexts.memberSince, value: account.memberSince)
        } header: {
            Text(JuiceTexts.accountTitle)
        } footer: {
            NotesView(notes: [account.emailNote, account.unconfirmedNote, account.unlinkNote])
        }
        changes
        Section {
            ActionButton(label: JuiceTexts.signOut) { await model.signOut() }
            Button(JuiceTexts.deleteAccount, role: .destructive) { model.showDeletion() }
            Button(JuiceTexts.back) { model.showResult() }
        }
    }

    private var changes: some View {
        Section {
            Button(JuiceTexts.changeName) { model.showName() }
            ActionButton(label: JuiceTexts.sessions) { await model.showSessions() }
            Button(account.hasPassword ? JuiceTexts.changePassword : JuiceTexts.setPassword) {
                model.showPassword()
            }
            if account.canLinkApple {
                AppleSignInButton(.continue) {
                    Task { await model.linkApple() }
                }
            }
            if account.canUnlinkApple {
                ActionButton(label: JuiceTexts.unlinkApple) { await model.unlinkApple() }
            }
        }
    }
}

/// The form for the name.
struct NameView: View {
    let model: JuiceModel
    @State var name: String

    var body: some View {
        Section(JuiceTexts.changeName) {
            TextField(JuiceTexts.name, text: $name).textContentType(.name)
            ActionButton(label: JuiceTexts.save) { await model.rename(to: name) }
        }
        ActionButton(label: JuiceTexts.back) { await model.showAccount() }
    }
}

/// Where the user is signed in.
struct SessionsView: View {
    let model: JuiceModel
    let sessions: [SessionLine]

    var body: some View {
        Section(JuiceTexts.sessions) {
            ForEach(sessions) { session in
                LabeledContent(session.device, value: session.lastUsed)
                if session.isCurrent {
                    Text(JuiceTexts.thisDevice)
                } else {
                    ActionButton(
                        label: JuiceTexts.endSession(session.device),
                        role: .destructive
                    ) {
                        await model.endSession(session.id)
                    }
                }
            }
        }
        if sessions.count > 1 {
            ActionButton(label: JuiceTexts.endOtherSessions, role: .destructive) {
                await model.endOtherSessions()
            }
        }
        ActionButton(label: JuiceTexts.back) { await model.showAccount() }
    }
}

/// The form for another password, or for the first one with a username.
struct PasswordView: View {
    let model: JuiceModel
    let isFirst: Bool
    @State private var username = ""
    @State private var current = ""
    @State private var new = ""

    var body: some View {
        Section(isFirst ? JuiceTexts.setPassword : JuiceTexts.changePassword) {
            if isFirst {
                UsernameField(username: $username)
            } else {
                SecureField(JuiceTexts.currentPassword, text: $current).textContentType(
                    .password
                )
            }
            SecureField(JuiceTexts.newPassword, text: $new).textContentType(.newPassword)
            ActionButton(label: JuiceTexts.save) { await save() }
        }
        ActionButton(label: JuiceTexts.back) { await model.showAccount() }
    }

    private func save() async {
        if isFirst {
            await model.setPassword(username: username, new: new)
        } else {
            await model.changePassword(current: current, new: new)
        }
    }
}

/// The password again, before a protected operation.
struct ConfirmationView: View {
    let model: JuiceModel
    let username: String
    @State private var password = ""

    var body: some View {
        Section {
            SecureField(JuiceTexts.password, text: $password).textContentType(.password)
            ActionButton(label: JuiceTexts.confirm) { await model.confirm(password: password) }
        } header: {
            Text(JuiceTexts.confirmTitle)
        } footer: {
            Text(JuiceTexts.confirmLead(username))
        }
        Button(JuiceTexts.back) { model.leaveConfirmation() }
    }
}

/// The effect of a deletion, before it is confirmed.
struct DeletionView: View {
    let model: JuiceModel
    let lead: String

    var body: some View {
        Section(JuiceTexts.deleteAccount) {
            Text(lead)
            ActionButton(label: JuiceTexts.keepAccount) { await model.showAccount() }
            ActionButton(label: JuiceTexts.deleteForGood, role: .destructive) {
                await model.deleteAccount()
            }
        }
    }
}
