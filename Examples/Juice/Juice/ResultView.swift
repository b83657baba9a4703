import JuiceApp
import SwiftUI

/// The sections shown after a sign-in: identifier, name and email address.
struct ResultView: View {
    let model: JuiceModel
    let result: ResultScreen

    var body: some View {
        Section {
            LabeledContent(JuiceTexts.identifier, value: result.identifier)
            LabeledContent(JuiceTexts.givenName, value: result.givenName)
            LabeledContent(JuiceTexts.familyName, value: result.familyName)
            LabeledContent(JuiceTexts.email, value: result.email)
        } header: {
            Text(JuiceTexts.resultTitle)
        } footer: {
            NotesView(notes: [result.emailNote, result.unconfirmedNote])
        }
        Section {
            ActionButton(label: JuiceTexts.openAccount) { await model.showAccount() }
            Button(JuiceTexts.openSecureTask) { model.showSecureTask() }
            ActionButton(label: JuiceTexts.signOut) { await model.signOut() }
        }
    }
}

/// Explanations below the fields.
struct NotesView: View {
    let notes: [String?]

    var body: some View {
        VStack(alignment: .leading) {
            ForEach(notes.compactMap(\.self), id: \.self) { Text($0) }
        }
    }
}

/// A task that runs only while the user uses the app at Apple.
struct SecureTaskView: View {
    let model: JuiceModel
    let recipe: String?

    var body: some View {
        Section {
            if let recipe { LabeledContent(JuiceTexts.recipe, value: recipe) }
            ActionButton(label: JuiceTexts.runSecureTask) { await model.runSecureTask() }
            ActionButton(label: JuiceTexts.runSecureTaskFresh) {
                await model.runSecureTask(requiresFreshSignIn: true)
            }
        } header: {
            Text(JuiceTexts.secureTaskTitle)
        } footer: {
            Text(JuiceTexts.secureTaskLead)
        }
        Button(JuiceTexts.back) { model.showResult() }
    }
}
