import JuiceApp
import SwiftUI

/// The complete user interface of the model: sign-in, account, and messages.
///
/// If your app has its own start page, show it while ``JuiceModel/screen`` is ``JuiceScreen/result(_:)``, and
/// this view otherwise.
struct JuiceScreens: View {
    let model: JuiceModel

    var body: some View {
        Form {
            MessageSection(problem: model.problem, notice: model.notice)
            screen
            if model.isBusy { ProgressView(JuiceTexts.busy) }
        }
        .formStyle(.grouped)
        .disabled(model.isBusy)
        .task { await model.start() }
    }

    @ViewBuilder private var screen: some View {
        switch model.screen {
        case .launching: ProgressView(JuiceTexts.launching)
        case .login(let login): LoginView(model: model, login: login)
        case .createAccount: CreateAccountView(model: model)
        case .result(let result): ResultView(model: model, result: result)
        case .account(let account): JuiceAccountView(model: model, account: account)
        case .name(let current): NameView(model: model, name: current)
        case .sessions(let sessions): SessionsView(model: model, sessions: sessions)
        case .password(let password): PasswordView(model: model, isFirst: password.isFirst)
        case .confirmation(let username): ConfirmationView(model: model, username: username)
        case .deletion(let lead): DeletionView(model: model, lead: lead)
        case .secureTask(let task): SecureTaskView(model: model, recipe: task.result)
        case .attention(let attention):
            AttentionView(model: model, texts: JuiceTexts.attention(attention))
        case .ended(let reason): AttentionView(model: model, texts: JuiceTexts.ended(reason))
        }
    }
}

/// A problem and its next step.
struct MessageSection: View {
    let problem: JuiceProblem?
    let notice: String?

    var body: some View {
        if let problem {
            Section {
                Label(problem.sentence, systemImage: "exclamationmark.triangle")
                    .foregroundStyle(.red)
            } footer: {
                Text(problem.nextStep)
            }
        } else if let notice {
            Section { Label(notice, systemImage: "checkmark.circle") }
        }
    }
}

/// A button whose action the model runs to its end.
struct ActionButton: View {
    let label: String
    var role: ButtonRole?
    let action: @MainActor () async -> Void

    var body: some View {
        Button(label, role: role) {
            Task { await action() }
        }
    }
}
