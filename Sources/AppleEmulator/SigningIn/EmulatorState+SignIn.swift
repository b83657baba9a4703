import AppleIdentity
import Foundation
import HTTPTypes

/// How a person shows who they are: the same for the sheet and for the account page.
extension EmulatorState {
    /// Begins a transaction and shows its first page, which marks the browser.
    mutating func begin(
        _ purpose: Transaction.Purpose,
        at step: Transaction.Step,
        for request: HTTPRequest,
        notice: AccountNotice? = nil
    ) -> Outcome {
        // A browser keeps its mark, so that several transactions can be open side by side.
        let knownBrowser = BrowserMark(of: request)
        let browser = knownBrowser ?? .make()
        let transaction = Transaction(
            purpose: purpose,
            browser: browser,
            startedAt: now,
            switches: requestedSwitches,
            step: step
        )
        // HEAD asks without consequences: nothing is begun.
        guard request.method != .head else { return show(transaction, named: "") }
        let identifier = authorizations.transactions.add(transaction)
        flows.make(identifier)
        var outcome = show(transaction, named: identifier, notice: notice)
        if knownBrowser == nil {
            outcome.answer.response.headerFields[.setCookie] =
                browser.cookie(isSecure: request.scheme == "https")
        }
        return outcome
    }

    /// The transaction that a form carries on; whoever else knows its name can't, nor end it.
    mutating func transaction(of form: SignInForm) throws(OAuthRefusal) -> Transaction {
        guard let transaction = authorizations.transactions[form.identifier],
            !transaction.isExpired(at: now)
        else {
            authorizations.transactions.remove(form.identifier)
            throw OAuthRefusal(
                .invalidRequest,
                problem: .signInOver,
                reason: "the sign-in's transaction is unknown, was used, or is older than"
                    + " \(Int(Transaction.lifetimeSeconds)) seconds"
            )
            .hint("start again")
        }
        guard BrowserMark(of: form.request) == transaction.browser else {
            throw OAuthRefusal(
                .invalidRequest,
                problem: .otherBrowser,
                reason: "the cookie \(BrowserMark.cookieName) is missing, or is not the one set"
                    + " with the first page"
            )
            .hint("allow cookies, and send the form with those of its first page")
        }
        return transaction
    }

    /// Carries out one of the steps that show who a person is; nil when the action is none of them.
    mutating func signIn(
        _ action: String,
        _ form: SignInForm,
        in transaction: Transaction
    ) throws(OAuthRefusal) -> Outcome? {
        switch (action, transaction.step) {
        case ("switch-account", _): return switchAccount(form, in: transaction)
        case ("sign-out", .chooser): return signOut(form, in: transaction)
        case (_, .chooser(let people)) where action.hasPrefix(SheetPage.chooseAction):
            return choose(form, in: transaction, among: people)
        case ("sign-in", .signIn), ("sign-in", .chooser), ("sign-in", .twoFactor):
            return try checkPassword(form, in: transaction)
        case ("two-factor", .twoFactor(let personID, let digits)):
            guard form.fields["code"] == digits else {
                let reason = "the six digits are wrong"
                return try failAttempt(transaction, form, .wrongDigits, reason: reason)
            }
            return enter(form, transaction, as: personID)
        default: return nil
        }
    }

    private mutating func checkPassword(
        _ form: SignInForm,
        in transaction: Transaction
    ) throws(OAuthRefusal) -> Outcome {
        let person = people.person(email: form.fields["email"] ?? "")
        guard let person, person.account.password == form.fields["password"] else {
            let reason =
                person == nil ? "there is no person with this address" : "the password is wrong"
            var asking = transaction
            asking.step = .signIn
            return try failAttempt(asking, form, .wrongPassword, reason: reason)
        }
        guard person.account.hasTwoFactor else { return enter(form, transaction, as: person.id) }
        return move(transaction, form, to: .twoFactor(person.id, digits: RandomText.sixDigits()))
    }

    /// The person showed who they are: the browser is signed in from here on.
    private mutating func enter(
        _ form: SignInForm,
        _ transaction: Transaction,
        as personID: PersonID
    ) -> Outcome {
        let person = SignedInPerson(personID: personID, authenticatedAt: now)
        let earlier = session(of: form)
        // A new name for the session: the old one may have been seen before somebody signed in.
        if let earlier { authorizations.sessions.remove(earlier.identifier) }
        let session = earlier?.session.putting(person) ?? BrowserSession(current: person)
        let identifier = authorizations.sessions.add(session)
        var outcome = move(transaction, form, to: .sheet(personID, authenticatedAt: now))
        outcome.answer.response.headerFields[.setCookie] =
            BrowserSession.cookie(identifier, isSecure: form.isSecure)
        return outcome
    }

    mutating func move(
        _ transaction: Transaction,
        _ form: SignInForm,
        to step: Transaction.Step
    ) -> Outcome {
        if case .sheet = step, transaction.purpose.request == nil {
            authorizations.transactions.remove(form.identifier)
            return Self.toAccount()
        }
        var transaction = transaction
        transaction.step = step
        authorizations.transactions.update(form.identifier) { $0.step = step }
        return show(transaction, named: form.identifier)
    }

    private mutating func failAttempt(
        _ transaction: Transaction,
        _ form: SignInForm,
        _ problem: PageProblem,
        reason: String
    ) throws(OAuthRefusal) -> Outcome {
        authorizations.transactions.update(form.identifier) { $0.failedAttemptCount += 1 }
        guard transaction.failedAttemptCount + 1 < Transaction.maximumAttemptCount else {
            authorizations.transactions.remove(form.identifier)
            throw OAuthRefusal(
                .invalidRequest,
                problem: .tooManyAttempts,
                reason: reason + ", \(Transaction.maximumAttemptCount) times",
                status: .forbidden
            )
            .hint("start again")
        }
        return again(transaction, form, problem, reason: reason, status: .forbidden)
    }

    /// Shows the page once more, with what was wrong and what was typed.
    func again(
        _ transaction: Transaction,
        _ form: SignInForm,
        _ problem: PageProblem,
        reason: String,
        status: HTTPResponse.Status = .badRequest
    ) -> Outcome {
        var outcome = show(transaction, named: form.identifier, after: form, problem: problem)
        outcome.answer.response.status = status
        outcome.remark.error = transaction.purpose.errorName
        outcome.remark.reason = reason
        return outcome
    }
}

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
            let (identifier, session) = session(of: form), session.people.contains(chosen)
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

    func session(of form: SignInForm) -> (identifier: String, session: BrowserSession)? {
        guard let identifier = BrowserSession.identifier(of: form.request),
            let session = authorizations.session(identifier, at: now)
        else { return nil }
        return (identifier, session)
    }
}
