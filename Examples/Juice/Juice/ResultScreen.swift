import SignInKit
import SignInKitUI
import SwiftUI

/// Who is signed in, as the server confirmed it.
struct ResultScreen: View {
    let person: SignedInPerson
    let model: SignInModel

    var body: some View {
        let facts = AccountFacts(person.account)
        Form {
            Section {
                LabeledContent("Identifier", value: person.account.apple?.user.rawValue ?? "none")
                LabeledContent("Name", value: facts.name)
                LabeledContent("E-mail", value: facts.email ?? "none")
            } footer: {
                if let note = facts.addressNote { Text(note.sentence) }
            }
            Button("Sign Out") {
                Task { await model.signOut() }
            }
        }
        .formStyle(.grouped)
    }
}
