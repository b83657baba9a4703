import AppleIdentity
import Foundation
import HTTPTypes

extension EmulatorState {
    mutating func sheet(_ request: HTTPRequest, body: Data) -> Outcome {
        guard request.method == .post else { return .methodNotAllowed(request, allowed: "POST") }
        var clientID: String?
        do throws(OAuthRefusal) {
            try checkSite(of: request)
            let fields = try form(request, body: body)
            let form = SignInForm(fields: fields, request: request)
            flows.use(form.identifier)
            let transaction = try transaction(of: form)
            guard let asked = transaction.purpose.request else {
                throw OAuthRefusal(
                    .invalidRequest,
                    problem: .signInOver,
                    reason: "the transaction belongs to the account page"
                )
            }
            clientID = asked.client.clientID.rawValue
            carryOn(transaction.switches)
            var outcome = try submit(form, in: transaction, asked)
            outcome.remark.clientID = clientID
            return outcome
        } catch {
            return failure(error, clientID: clientID, prefersJSON: Self.prefersJSON(request))
        }
    }

    /// Accepts forms only from the emulator's own pages.
    func checkSite(of request: HTTPRequest) throws(OAuthRefusal) {
        // https://www.w3.org/TR/fetch-metadata/#sec-fetch-site-header
        let site = HTTPField.Name("Sec-Fetch-Site").flatMap { request.headerFields[$0] }
        guard site == nil || site == "same-origin" || site == "none" else {
            throw OAuthRefusal(
                .invalidRequest,
                problem: .otherSite,
                reason: "the form was not sent by the page: Sec-Fetch-Site is not same-origin",
                status: .forbidden
            )
            .hint("start the sign-in again")
        }
    }

    private mutating func submit(
        _ form: SignInForm,
        in transaction: Transaction,
        _ asked: AuthorizationRequest
    ) throws(OAuthRefusal) -> Outcome {
        let action = form.fields["action"] ?? ""
        if let outcome = try signIn(action, form, in: transaction) { return outcome }
        switch (action, transaction.step) {
        case ("cancel", _):
            authorizations.transactions.remove(form.identifier)
            return deliver(.cancelled(asked), to: asked, .seeOther)
        case ("undo-name", .sheet):
            var form = form
            for name in ["given_name", "family_name"] { form.fields.remove(name) }
            return show(transaction, named: form.identifier, after: form)
        case ("continue", .sheet(let personID, let authenticatedAt)):
            return try recordConsent(form, in: transaction, asked, personID, authenticatedAt)
        default:
            let reason = "the form's action does not match the sheet's current step"
            return again(transaction, form, .stepNotPossible, reason: reason)
        }
    }
}

/// The consent step of the sheet.
extension EmulatorState {
    /// Grants the authorization, or shows the consent again with the problem.
    mutating func recordConsent(
        _ form: SignInForm,
        in transaction: Transaction,
        _ asked: AuthorizationRequest,
        _ personID: PersonID,
        _ authenticatedAt: Date
    ) throws(OAuthRefusal) -> Outcome {
        if let (problem, reason) = fault(of: form, in: asked, by: personID) {
            return again(transaction, form, problem, reason: reason)
        }
        authorizations.transactions.remove(form.identifier)
        return try complete(
            asked,
            by: personID,
            authenticatedAt: authenticatedAt,
            choice: choice(in: form, by: personID),
            status: .seeOther
        )
    }

    private func choice(in form: SignInForm, by personID: PersonID) -> PersonChoice {
        let names = ["given_name", "family_name"].map { form.fields.sent($0) }
        let isEdited = names.contains { $0 != nil }
        return PersonChoice(
            email: form.fields["email_choice"] == "hide" ? .hide : .share,
            sharedEmail: form.fields["shared_email"].flatMap {
                people[personID]?.account.address($0)
            },
            name: isEdited ? PersonName(givenName: names[0], familyName: names[1]) : nil
        )
    }

    private func fault(
        of form: SignInForm,
        in asked: AuthorizationRequest,
        by personID: PersonID
    ) -> (problem: PageProblem, reason: String)? {
        let names = ["given_name", "family_name"].map { form.fields.sent($0) }
        if names.contains(where: { ($0?.count ?? 0) > ConsentPage.maximumNameCharacterCount }) {
            return (
                .nameTooLong,
                "a name is longer than \(ConsentPage.maximumNameCharacterCount) characters"
            )
        }
        guard isAnswered(form, in: asked, by: personID) else {
            return (
                .consentUnanswered,
                "the form lacks fields that the consent requires: the user stopped using the app"
                    + " while the page was open, or the form is incomplete"
            )
        }
        guard PersonChoice.Email(rawValue: form.fields["email_choice"] ?? "share") != nil else {
            return (.emailChoiceWrong, "email_choice is neither share nor hide")
        }
        let address = form.fields["shared_email"]
        guard address == nil || address.flatMap({ people[personID]?.account.address($0) }) != nil
        else { return (.emailChoiceWrong, "shared_email is not an email address of this account") }
        return nil
    }

    /// Whether a form has all fields of the first consent; a later sign-in has none.
    ///
    /// A choice that was never shown must not count as made.
    private func isAnswered(
        _ form: SignInForm,
        in asked: AuthorizationRequest,
        by personID: PersonID
    ) -> Bool {
        guard let person = people[personID], person.consents[asked.client.group] == nil else {
            return true
        }
        let asksEmail = asked.asksEmail && person.account.hasEmail
        return (!asksEmail || form.fields["email_choice"] != nil)
            && (!asked.asksName || form.fields.sent("given_name") != nil)
    }
}
