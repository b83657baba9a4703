import HTTPTypes

/// Sign-in, the same for the sheet and for the account page.
extension EmulatorState {
    /// Begins a transaction and shows its first page, which sets the browser's mark.
    mutating func begin(
        _ purpose: Transaction.Purpose,
        at step: Transaction.Step,
        for request: HTTPRequest,
        notice: AccountNotice? = nil
    ) -> Outcome {
        // A browser keeps its mark, so several transactions can be open at a time.
        let cookie = cookie(.browser, of: request)
        let knownBrowser = BrowserMark(cookie)
        let browser = knownBrowser ?? .make()
        let transaction = Transaction(
            purpose: purpose,
            browser: browser,
            startedAt: now,
            switches: requestedSwitches,
            step: step
        )
        // HEAD has no side effects: it begins no transaction.
        guard request.method != .head else { return show(transaction, named: "") }
        let identifier = authorizations.transactions.add(transaction)
        flows.make(identifier)
        var outcome = show(transaction, named: identifier, notice: notice)
        if knownBrowser == nil {
            outcome.answer.response.headerFields[.setCookie] = cookie.storing(browser.text)
        }
        return outcome
    }

    /// The transaction of a form; other browsers can neither continue nor end it.
    mutating func transaction(of form: SignInForm) throws(OAuthRefusal) -> Transaction {
        guard let transaction = authorizations.transactions[form.identifier],
            !transaction.isExpired(at: now)
        else {
            authorizations.transactions.remove(form.identifier)
            throw OAuthRefusal(
                .invalidRequest,
                problem: .signInOver,
                reason: "the sign-in's transaction is unknown, was already used, or is older than"
                    + " \(Int(Transaction.lifetimeSeconds)) seconds"
            )
            .hint("start the sign-in again")
        }
        let cookie = cookie(.browser, of: form.request)
        guard BrowserMark(cookie) == transaction.browser else {
            throw OAuthRefusal(
                .invalidRequest,
                problem: .otherBrowser,
                reason: "the cookie \(cookie.name) is missing, or is not the one set"
                    + " with the first page"
            )
            .hint("allow cookies, and send the form with the cookies of its first page")
        }
        return transaction
    }

    /// Performs a step of the sign-in; nil if the action is a different one.
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
                let reason = "the verification code is wrong"
                return try failAttempt(transaction, form, .wrongDigits, reason: reason)
            }
            return enter(form, transaction, as: personID)
        default:
            guard let personID = pressedPerson(action, in: transaction.step) else { return nil }
            return enter(form, transaction, as: personID)
        }
    }

    /// The person whose button on the sign-in page was pressed, which skips password and code.
    private func pressedPerson(_ action: String, in step: Transaction.Step) -> PersonID? {
        if case .sheet = step { return nil }
        guard switches.hasPersonButtons, action.hasPrefix(SheetPage.enterAction) else { return nil }
        let number = Int(action.dropFirst(SheetPage.enterAction.count))
        return number.flatMap { people[PersonID(number: $0)]?.id }
    }

    private mutating func checkPassword(
        _ form: SignInForm,
        in transaction: Transaction
    ) throws(OAuthRefusal) -> Outcome {
        let person = people.person(email: form.fields["email"] ?? "")
        guard let person, person.account.password == form.fields["password"] else {
            let reason =
                person == nil ? "no user has this email address" : "the password is wrong"
            var asking = transaction
            asking.step = .signIn
            return try failAttempt(asking, form, .wrongPassword, reason: reason)
        }
        guard person.account.hasTwoFactor else { return enter(form, transaction, as: person.id) }
        return move(transaction, form, to: .twoFactor(person.id, digits: RandomText.sixDigits()))
    }

    /// Signs the browser in as the person.
    private mutating func enter(
        _ form: SignInForm,
        _ transaction: Transaction,
        as personID: PersonID
    ) -> Outcome {
        let person = AuthenticatedPerson(personID: personID, authenticatedAt: now)
        let earlier = session(of: form)
        // Another session identifier: the old one may have been seen before the sign-in.
        if let earlier { authorizations.sessions.remove(earlier.identifier) }
        let session = earlier?.session.putting(person) ?? AppleAccountSession(current: person)
        let identifier = authorizations.sessions.add(session)
        var outcome = move(transaction, form, to: .sheet(personID, authenticatedAt: now))
        outcome.answer.response.headerFields[.setCookie] =
            cookie(.account, of: form.request)
            .storing(identifier, seconds: AppleAccountSession.lifetimeSeconds)
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
            .hint("start the sign-in again")
        }
        return again(transaction, form, problem, reason: reason, status: .forbidden)
    }

    /// Shows the page again, with the problem and the typed values.
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

/// Account selection, for several people in one browser.
extension EmulatorState {
    /// Shows the chooser, or the sign-in form if there is no one else to choose.
    mutating func switchAccount(_ form: SignInForm, in transaction: Transaction) -> Outcome {
        if case .chooser = transaction.step { return move(transaction, form, to: .signIn) }
        guard let session = session(of: form)?.session, !session.others.isEmpty else {
            return move(transaction, form, to: .signIn)
        }
        return move(transaction, form, to: .chooser(session.people))
    }

    /// Continues as a signed-in person, or requests the password if they signed out meanwhile.
    mutating func choose(
        _ form: SignInForm,
        in transaction: Transaction,
        among people: [AuthenticatedPerson]
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

    /// Signs out everyone in the browser's session.
    mutating func signOut(_ form: SignInForm, in transaction: Transaction) -> Outcome {
        if let (identifier, _) = session(of: form) { authorizations.sessions.remove(identifier) }
        var outcome = move(transaction, form, to: .signIn)
        outcome.answer.response.headerFields[.setCookie] =
            cookie(.account, of: form.request).ending
        return outcome
    }

    func session(of form: SignInForm) -> (identifier: String, session: AppleAccountSession)? {
        guard let identifier = cookie(.account, of: form.request).value,
            let session = authorizations.session(identifier, at: now)
        else { return nil }
        return (identifier, session)
    }
}

/// The pages of a sign-in.
extension EmulatorState {
    private static let maximumKnownPersonCount = 8

    func show(
        _ transaction: Transaction,
        named identifier: String,
        after form: SignInForm? = nil,
        problem: PageProblem? = nil,
        notice: AccountNotice? = nil
    ) -> Outcome {
        switch transaction.purpose {
        case .app(let asked):
            let page = SheetPage(
                transaction: identifier,
                appName: asked.client.name,
                step: sheetStep(transaction.step, asked, form),
                problem: problem
            )
            return .page(.sheet(page))
        case .account:
            let content = accountContent(transaction.step, identifier, form)
            return .page(
                .account(AppleAccountPage(content: content, notice: notice, problem: problem))
            )
        }
    }

    private func sheetStep(
        _ step: Transaction.Step,
        _ asked: AuthorizationRequest,
        _ form: SignInForm?
    ) -> SheetPage.Step {
        switch step {
        case .chooser(let signedIn):
            let accounts = signedIn.compactMap { people[$0.personID] }.map { Self.account($0) }
            if !accounts.isEmpty { return .chooser(accounts) }
        case .twoFactor(let personID, let digits):
            return .twoFactor(email: people[personID]?.account.email ?? "", digits: digits)
        case .sheet(let personID, _):
            guard let person = people[personID] else { break }
            if person.consents[asked.client.group] != nil {
                return .returning(Self.account(person))
            }
            return .consent(consentPage(asked, person, after: form?.fields))
        case .signIn: break
        }
        return .signIn(email: form?.email ?? "", knownPeople: knownPeople)
    }

    private func accountContent(
        _ step: Transaction.Step,
        _ identifier: String,
        _ form: SignInForm?
    ) -> AppleAccountPage.Content {
        guard case .twoFactor(let personID, let digits) = step else {
            return .signIn(
                transaction: identifier,
                email: form?.email ?? "",
                knownPeople: knownPeople
            )
        }
        let email = people[personID]?.account.email ?? ""
        return .twoFactor(transaction: identifier, email: email, digits: digits)
    }

    private var knownPeople: [SheetPage.Account] {
        let action = switches.hasPersonButtons ? SheetPage.enterAction : nil
        return people.first(Self.maximumKnownPersonCount)
            .map { Self.account($0, action: action) }
    }

    private static func account(
        _ person: Person,
        action: String? = SheetPage.chooseAction
    ) -> SheetPage.Account {
        SheetPage.Account(
            personName: person.name.displayName,
            email: person.account.email,
            action: action.map { $0 + String(person.id.number) } ?? ""
        )
    }

    private func consentPage(
        _ asked: AuthorizationRequest,
        _ person: Person,
        after fields: FormFields?
    ) -> ConsentPage {
        let account = person.account
        return ConsentPage(
            email: account.email,
            asksName: asked.asksName,
            givenName: fields?.sent("given_name") ?? account.givenName ?? "",
            familyName: fields?.sent("family_name") ?? account.familyName ?? "",
            knownGivenName: account.givenName ?? "",
            knownFamilyName: account.familyName ?? "",
            asksEmail: asked.asksEmail && account.hasEmail,
            hidesEmail: fields?["email_choice"] == "hide",
            addresses: account.addresses,
            chosenAddress: fields?["shared_email"] ?? account.email,
            isManaged: account.isManaged,
            lacksEmail: asked.asksEmail && !account.hasEmail,
            isEmailUnverified: account.hasEmail && !account.isVerified(account.email),
            isFirstApp: person.consents.isEmpty && person.formerGroups.isEmpty
        )
    }
}
