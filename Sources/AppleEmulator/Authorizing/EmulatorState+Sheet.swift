import AppleIdentity
import Foundation
import HTTPTypes

extension EmulatorState {
    /// Where the sheet's forms go.
    static let sheetPath = "/auth/authorize/sheet"
    /// The longest given or family name a person may type, in characters.
    static let nameCharacterCountMax = 100

    /// Answers a form of the sheet.
    mutating func sheet(_ request: HTTPRequest, body: Data, at time: Date) -> Outcome {
        guard request.method == .post else { return .methodNotAllowed(request, allowed: "POST") }
        var clientID: String?
        do throws(OAuthRefusal) {
            try checkOrigin(of: request)
            let fields = try form(request, body: body)
            let identifier = fields["transaction"] ?? ""
            guard let transaction = authorizations.transactions[identifier],
                !transaction.isExpired(at: time)
            else {
                authorizations.end(identifier)
                throw OAuthRefusal(
                    .invalidRequest,
                    text: "This sign-in is over.",
                    reason: "the sheet's transaction is unknown, was used, or is older than"
                        + " \(Int(Transaction.lifetimeSeconds)) seconds",
                    hint: "start again from the app"
                )
            }
            clientID = transaction.request.client.clientID.rawValue
            try checkBrowser(of: request, in: transaction)
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
                text: "This form came from another site.",
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
                text: "This sign-in was started in another browser.",
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
        case ("sign-in", .signIn):
            return try signIn(form, in: transaction)
        case ("two-factor", .twoFactor(let personID, let digits)):
            return try checkDigits(form, in: transaction, personID: personID, digits: digits)
        case ("continue", .sheet(let personID, let authenticatedAt)):
            return try agree(form, in: transaction, personID, authenticatedAt)
        default:
            return again(
                transaction,
                form,
                error: "That step is not possible now.",
                reason: "the form's action does not fit the sheet's step",
                status: .badRequest
            )
        }
    }

    private mutating func switchAccount(_ form: SheetForm, in transaction: Transaction) -> Outcome {
        let cookies = form.request.headerFields[values: .cookie]
        if let session = BrowserSession.identifier(inCookies: cookies) {
            authorizations.endSession(session)
        }
        var outcome = move(transaction, form, to: .signIn)
        outcome.answer.response.headerFields[.setCookie] =
            BrowserSession.endingCookie(isSecure: form.isSecure)
        return outcome
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
                error: "The Apple Account or password is incorrect.",
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
                error: "Incorrect verification code.",
                reason: "the six digits are wrong"
            )
        }
        return enter(form, transaction, as: personID)
    }

    /// The person showed who they are: the browser is signed in from here on.
    private mutating func enter(
        _ form: SheetForm,
        _ transaction: Transaction,
        as personID: PersonID
    ) -> Outcome {
        let session = BrowserSession(personID: personID, authenticatedAt: form.time)
        let identifier = authorizations.beginSession(session)
        var outcome = move(
            transaction,
            form,
            to: .sheet(personID, authenticatedAt: form.time)
        )
        outcome.answer.response.headerFields[.setCookie] =
            BrowserSession.cookie(identifier, isSecure: form.isSecure)
        return outcome
    }

    private mutating func agree(
        _ form: SheetForm,
        in transaction: Transaction,
        _ personID: PersonID,
        _ authenticatedAt: Date
    ) throws(OAuthRefusal) -> Outcome {
        let names = ["given_name", "family_name"].map { form.fields.sent($0) }
        if names.contains(where: { ($0?.count ?? 0) > Self.nameCharacterCountMax }) {
            return again(
                transaction,
                form,
                error: "A name can have \(Self.nameCharacterCountMax) characters at most.",
                reason: "a name is longer than \(Self.nameCharacterCountMax) characters",
                status: .badRequest
            )
        }
        guard isAnswered(form, in: transaction.request, by: personID) else {
            return again(
                transaction,
                form,
                error: "Choose what this app may know about you.",
                reason: "the consent asks more than the form answers: it was open while the"
                    + " person stopped using the app, or fields were left out",
                status: .badRequest
            )
        }
        guard let choice = EmailChoice(rawValue: form.fields["email_choice"] ?? "share") else {
            return again(
                transaction,
                form,
                error: "Choose whether to share or to hide the address.",
                reason: "email_choice is neither share nor hide",
                status: .badRequest
            )
        }
        authorizations.end(form.identifier)
        let isEdited = names.contains { $0 != nil }
        return try complete(
            transaction.request,
            by: personID,
            authenticatedAt: authenticatedAt,
            hidesEmail: choice == .hide,
            name: isEdited ? PersonName(givenName: names[0], familyName: names[1]) : nil,
            status: .seeOther,
            at: form.time
        )
    }

    /// Whether a form tells all that the first consent asks; later nothing is asked.
    ///
    /// A choice that was never shown must not count as made.
    private func isAnswered(
        _ form: SheetForm,
        in asked: AuthorizationRequest,
        by personID: PersonID
    ) -> Bool {
        guard people[personID]?.consents[asked.client.group] == nil else { return true }
        return (!asked.asksEmail || form.fields["email_choice"] != nil)
            && (!asked.asksName || form.fields.sent("given_name") != nil)
    }

    private enum EmailChoice: String {
        case share, hide
    }

    private mutating func move(
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
        error: String,
        reason: String,
        email: String = ""
    ) throws(OAuthRefusal) -> Outcome {
        authorizations.update(form.identifier) { $0.failedAttemptCount += 1 }
        guard transaction.failedAttemptCount + 1 < Transaction.attemptCountMax else {
            authorizations.end(form.identifier)
            throw OAuthRefusal(
                .invalidRequest,
                text: "Too many attempts.",
                reason: reason + ", \(Transaction.attemptCountMax) times",
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

    private func again(
        _ transaction: Transaction,
        _ form: SheetForm,
        error: String,
        reason: String,
        status: HTTPResponse.Status,
        email: String = ""
    ) -> Outcome {
        var outcome = showStep(of: transaction, named: form.identifier, email: email, error: error)
        outcome.answer.response.status = status
        outcome.remark.error = "sheet"
        outcome.remark.reason = reason
        return outcome
    }
}
