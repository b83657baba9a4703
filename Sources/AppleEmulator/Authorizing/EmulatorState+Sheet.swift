import AppleIdentity
import Foundation
import HTTPTypes

extension EmulatorState {
    /// Answers a form of the sheet.
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
                    reason: "the transaction leads to the account page"
                )
            }
            clientID = asked.client.clientID.rawValue
            carryOn(transaction.switches)
            var outcome = try take(form, in: transaction, asked)
            outcome.remark.clientID = clientID
            return outcome
        } catch {
            return failure(error, clientID: clientID, prefersJSON: Self.prefersJSON(request))
        }
    }

    /// Forms come from the emulator's own pages.
    func checkSite(of request: HTTPRequest) throws(OAuthRefusal) {
        // https://www.w3.org/TR/fetch-metadata/#sec-fetch-site-header
        let site = HTTPField.Name("Sec-Fetch-Site").flatMap { request.headerFields[$0] }
        guard site == nil || site == "same-origin" || site == "none" else {
            throw OAuthRefusal(
                .invalidRequest,
                problem: .otherSite,
                reason: "the form was not sent by the page: Sec-Fetch-Site is not same-origin",
                hint: "start again",
                status: .forbidden
            )
        }
    }

    private mutating func take(
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
            return try agree(form, in: transaction, asked, personID, authenticatedAt)
        default:
            let reason = "the form's action does not fit the sheet's step"
            return again(transaction, form, .stepNotPossible, reason: reason)
        }
    }
}
