import AppleIdentity
import Foundation
import HTTPTypes

/// Who signs in, where several people use one browser.
extension EmulatorState {
    /// Asks who it shall be: one of those signed in already, or somebody else.
    mutating func switchAccount(_ form: SignInForm, in transaction: Transaction) -> Outcome {
        if case .chooser = transaction.step { return move(transaction, form, to: .signIn) }
        guard let session = session(of: form)?.session, !session.others.isEmpty else {
            return move(transaction, form, to: .signIn)
        }
        return move(transaction, form, to: .chooser(session.people))
    }

    /// Takes a person who is signed in; one who signed out meanwhile is asked for the password.
    mutating func choose(
        _ form: SignInForm,
        in transaction: Transaction,
        among people: [SignedInPerson]
    ) -> Outcome {
        let number = Int((form.fields["action"] ?? "").dropFirst(SheetPage.chooseAction.count))
        guard let chosen = people.first(where: { $0.personID.number == number }),
            let (identifier, session) = session(of: form),
            session.people.contains(chosen)
        else { return move(transaction, form, to: .signIn) }
        authorizations.sessions.update(identifier) { $0 = $0.putting(chosen) }
        return move(
            transaction,
            form,
            to: .sheet(chosen.personID, authenticatedAt: chosen.authenticatedAt)
        )
    }

    /// Ends the browser's session, for all who are in it.
    mutating func signOut(_ form: SignInForm, in transaction: Transaction) -> Outcome {
        if let (identifier, _) = session(of: form) { authorizations.sessions.remove(identifier) }
        var outcome = move(transaction, form, to: .signIn)
        outcome.answer.response.headerFields[.setCookie] =
            BrowserSession.endingCookie(isSecure: form.isSecure)
        return outcome
    }

    /// The session that a form's cookies name.
    func session(of form: SignInForm) -> (identifier: String, session: BrowserSession)? {
        guard let identifier = BrowserSession.identifier(of: form.request),
            let session = authorizations.session(identifier, at: now)
        else { return nil }
        return (identifier, session)
    }
}
