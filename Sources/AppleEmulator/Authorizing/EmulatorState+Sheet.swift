import AppleIdentity
import Foundation
import HTTPTypes

extension EmulatorState {
    /// Where the sheet's forms go.
    static let sheetPath = "/auth/authorize/sheet"

    /// Answers a form of the sheet.
    mutating func sheet(_ request: HTTPRequest, body: Data, at time: Date) -> Outcome {
        guard request.method == .post else { return .methodNotAllowed(request, allowed: "POST") }
        var clientID: String?
        do throws(OAuthRefusal) {
            try checkOrigin(of: request)
            let fields = try form(request, body: body)
            let identifier = fields["transaction"] ?? ""
            flows.use(identifier)
            guard let transaction = authorizations.transactions[identifier],
                !transaction.isExpired(at: time)
            else {
                authorizations.end(identifier)
                throw OAuthRefusal(
                    .invalidRequest,
                    text: words[.signInOver],
                    reason: "the sheet's transaction is unknown, was used, or is older than"
                        + " \(Int(Transaction.lifetimeSeconds)) seconds",
                    hint: "start again from the app"
                )
            }
            clientID = transaction.request.client.clientID.rawValue
            try checkBrowser(of: request, in: transaction)
            carryOn(transaction.switches)
            var form = SheetForm(
                fields: fields,
                identifier: identifier,
                request: request,
                time: time
            )
            form.isSecure = request.scheme == "https"
            var outcome = try take(form, in: transaction)
            outcome.remark.clientID = clientID
            return outcome
        } catch {
            return failure(error, clientID: clientID, prefersJSON: Self.prefersJSON(request))
        }
    }

    /// The sheet's forms come from the sheet's own pages.
    private func checkOrigin(of request: HTTPRequest) throws(OAuthRefusal) {
        // https://www.w3.org/TR/fetch-metadata/#sec-fetch-site-header
        let site = HTTPField.Name("Sec-Fetch-Site").flatMap { request.headerFields[$0] }
        guard site == nil || site == "same-origin" || site == "none" else {
            throw OAuthRefusal(
                .invalidRequest,
                text: words[.otherSite],
                reason: "the form was not sent by the sheet: Sec-Fetch-Site is not same-origin",
                hint: "start again from the app"
            )
        }
    }

    /// Whoever else knows the transaction's name can neither carry it on nor end it.
    private func checkBrowser(
        of request: HTTPRequest,
        in transaction: Transaction
    ) throws(OAuthRefusal) {
        guard BrowserMark(of: request) == transaction.browser else {
            throw OAuthRefusal(
                .invalidRequest,
                text: words[.otherBrowser],
                reason: "the cookie \(BrowserMark.cookieName) is missing, or is not the one set"
                    + " with the sheet's first page",
                hint: "allow cookies, and send the form with those of its first page"
            )
        }
    }

    private mutating func take(
        _ form: SheetForm,
        in transaction: Transaction
    ) throws(OAuthRefusal) -> Outcome {
        switch (form.fields["action"] ?? "", transaction.step) {
        case ("cancel", _):
            authorizations.end(form.identifier)
            return deliver(.cancelled(transaction.request), to: transaction.request, .seeOther)
        case ("switch-account", _):
            return switchAccount(form, in: transaction)
        case ("sign-out", .chooser):
            return signOut(form, in: transaction)
        case (let action, .chooser(let people)) where action.hasPrefix(Self.chooseAction):
            return choose(form, in: transaction, among: people)
        case ("sign-in", .signIn), ("sign-in", .chooser):
            return try signIn(form, in: transaction)
        case ("two-factor", .twoFactor(let personID, let digits)):
            return try checkDigits(form, in: transaction, personID: personID, digits: digits)
        case ("undo-name", .sheet):
            return undoName(form, in: transaction)
        case ("continue", .sheet(let personID, let authenticatedAt)):
            return try agree(form, in: transaction, personID, authenticatedAt)
        default:
            return again(
                transaction,
                form,
                error: .stepNotPossible,
                reason: "the form's action does not fit the sheet's step",
                status: .badRequest
            )
        }
    }

    private mutating func signIn(
        _ form: SheetForm,
        in transaction: Transaction
    ) throws(OAuthRefusal) -> Outcome {
        let email = form.fields["email"] ?? ""
        let person = people.person(email: email)
        guard let person, person.account.password == form.fields["password"] else {
            return try failAttempt(
                transaction,
                form,
                error: .wrongPassword,
                reason: person == nil
                    ? "there is no person with this address" : "the password is wrong",
                email: String(email.prefix(254))
            )
        }
        guard person.account.hasTwoFactor else {
            return enter(form, transaction, as: person.id)
        }
        let digits = RandomText.sixDigits()
        return move(transaction, form, to: .twoFactor(person.id, digits: digits))
    }

    private mutating func checkDigits(
        _ form: SheetForm,
        in transaction: Transaction,
        personID: PersonID,
        digits: String
    ) throws(OAuthRefusal) -> Outcome {
        guard form.fields["code"] == digits else {
            return try failAttempt(
                transaction,
                form,
                error: .wrongDigits,
                reason: "the six digits are wrong"
            )
        }
        return enter(form, transaction, as: personID)
    }

    mutating func move(
        _ transaction: Transaction,
        _ form: SheetForm,
        to step: Transaction.Step
    ) -> Outcome {
        var transaction = transaction
        transaction.step = step
        authorizations.update(form.identifier) { $0.step = step }
        return showStep(of: transaction, named: form.identifier)
    }

    private mutating func failAttempt(
        _ transaction: Transaction,
        _ form: SheetForm,
        error: SheetWord,
        reason: String,
        email: String = ""
    ) throws(OAuthRefusal) -> Outcome {
        authorizations.update(form.identifier) { $0.failedAttemptCount += 1 }
        guard transaction.failedAttemptCount + 1 < Transaction.maximumAttemptCount else {
            authorizations.end(form.identifier)
            throw OAuthRefusal(
                .invalidRequest,
                text: words[.tooManyAttempts],
                reason: reason + ", \(Transaction.maximumAttemptCount) times",
                hint: "start again from the app"
            )
        }
        return again(
            transaction,
            form,
            error: error,
            reason: reason,
            status: .forbidden,
            email: email
        )
    }

    func again(
        _ transaction: Transaction,
        _ form: SheetForm,
        error: SheetWord,
        reason: String,
        status: HTTPResponse.Status,
        email: String = ""
    ) -> Outcome {
        var outcome = showStep(
            of: transaction,
            named: form.identifier,
            email: email,
            answers: SheetAnswers(form.fields),
            error: words.text(error, ["count": String(Self.maximumNameCharacterCount)])
        )
        outcome.answer.response.status = status
        outcome.remark.error = "sheet"
        outcome.remark.reason = reason
        return outcome
    }
}
