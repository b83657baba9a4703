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
            return .page(.account(AccountPage(content: content, notice: notice, problem: problem)))
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
    ) -> AccountPage.Content {
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
        return people.page(maximumCount: Self.maximumKnownPersonCount)
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
