import Foundation
import HTTPTypes

extension EmulatorState {
    /// How many people are named on the page that asks for an address.
    private static let maximumKnownEmailCount = 8

    /// The page that asks for address and password.
    mutating func beginAccountSignIn(_ visit: AccountVisit, notice: AccountNotice?) -> Outcome {
        let browser = visit.browser ?? .make()
        // HEAD asks without consequences: nothing is begun.
        guard visit.request.method != .head else { return passwordPage("", to: visit) }
        let attempt = RandomText.base64URL(byteCount: 32)
        let signIn = AccountSignIn(browser: browser, startedAt: visit.time)
        accountSignIns.insert(signIn, for: attempt)
        var outcome = passwordPage(attempt, to: visit, notice: notice)
        if visit.browser == nil {
            outcome.answer.response.headerFields[.setCookie] =
                browser.cookie(isSecure: visit.isSecure)
        }
        return outcome
    }

    mutating func takeAccountPassword(
        _ fields: FormFields,
        from visit: AccountVisit
    ) throws(AccountRefusal) -> Outcome {
        let attempt = fields["attempt"] ?? ""
        _ = try accountSignIn(attempt, from: visit)
        let email = fields["email"] ?? ""
        let person = people.person(email: email)
        guard let person, person.account.password == fields["password"] else {
            let reason =
                person == nil ? "there is no person with this address" : "the password is wrong"
            try failAccountAttempt(attempt, reason: reason)
            var outcome = passwordPage(
                attempt,
                to: visit,
                email: String(email.prefix(254)),
                error: .wrongPassword
            )
            outcome.answer.response.status = .forbidden
            outcome.remark = Remark(error: "account", reason: reason)
            return outcome
        }
        guard person.account.hasTwoFactor else { return enterAccount(attempt, person.id, visit) }
        let digits = RandomText.sixDigits()
        accountSignIns.update(attempt) { $0.step = .twoFactor(person.id, digits: digits) }
        return digitsPage(attempt, digits, of: person, to: visit)
    }

    mutating func takeAccountDigits(
        _ fields: FormFields,
        from visit: AccountVisit
    ) throws(AccountRefusal) -> Outcome {
        let attempt = fields["attempt"] ?? ""
        guard case .twoFactor(let id, let digits) = try accountSignIn(attempt, from: visit).step,
            let person = people[id]
        else { throw Self.signInOver("no digits are asked") }
        guard fields["code"] == digits else {
            let reason = "the six digits are wrong"
            try failAccountAttempt(attempt, reason: reason)
            var outcome = digitsPage(attempt, digits, of: person, to: visit, error: .wrongDigits)
            outcome.answer.response.status = .forbidden
            outcome.remark = Remark(error: "account", reason: reason)
            return outcome
        }
        return enterAccount(attempt, id, visit)
    }

    /// Whoever else knows the name of an attempt can't carry it on.
    private func accountSignIn(
        _ attempt: String,
        from visit: AccountVisit
    ) throws(AccountRefusal) -> AccountSignIn {
        guard let signIn = accountSignIns[attempt], !signIn.isExpired(at: visit.time) else {
            throw Self.signInOver(
                "it is unknown, was used, or is older than"
                    + " \(Int(AccountSignIn.lifetimeSeconds)) seconds"
            )
        }
        guard signIn.browser == visit.browser else {
            throw Self.signInOver(
                "the cookie \(BrowserMark.cookieName) is missing, or is not the one set with the"
                    + " first page"
            )
        }
        return signIn
    }

    private mutating func failAccountAttempt(
        _ attempt: String,
        reason: String
    ) throws(AccountRefusal) {
        accountSignIns.update(attempt) { $0.failedAttemptCount += 1 }
        let count = accountSignIns[attempt]?.failedAttemptCount ?? 0
        guard count < AccountSignIn.maximumAttemptCount else {
            accountSignIns.remove(attempt)
            throw AccountRefusal(
                .tooManyAttempts,
                reason: "\(reason), \(count) times",
                status: .forbidden
            )
        }
    }

    /// The person showed who they are: the browser is signed in, on the sheet too.
    private mutating func enterAccount(
        _ attempt: String,
        _ personID: PersonID,
        _ visit: AccountVisit
    ) -> Outcome {
        accountSignIns.remove(attempt)
        visit.sessionIdentifier.map { authorizations.endSession($0) }
        let session = BrowserSession(personID: personID, authenticatedAt: visit.time)
        let identifier = authorizations.beginSession(session)
        var outcome = Self.toOverview()
        outcome.answer.response.headerFields[.setCookie] =
            BrowserSession.cookie(identifier, isSecure: visit.isSecure)
        return outcome
    }

    private func passwordPage(
        _ attempt: String,
        to visit: AccountVisit,
        email: String = "",
        notice: AccountNotice? = nil,
        error: AccountText.Word? = nil
    ) -> Outcome {
        let known = people.page(maximumCount: Self.maximumKnownEmailCount)
            .map(\.account.email)
        let page = AccountPage.signIn(attempt: attempt, email: email, knownEmails: known)
        return accountPage(page, to: visit, notice: notice, error: error)
    }

    private func digitsPage(
        _ attempt: String,
        _ digits: String,
        of person: Person,
        to visit: AccountVisit,
        error: AccountText.Word? = nil
    ) -> Outcome {
        let page = AccountPage.twoFactor(
            attempt: attempt,
            email: person.account.email,
            digits: digits
        )
        return accountPage(page, to: visit, error: error)
    }

    private static func signInOver(_ reason: String) -> AccountRefusal {
        AccountRefusal(.signInOver, reason: "the sign-in can't go on: \(reason)")
    }
}
