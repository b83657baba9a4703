import AppleEmulator

/// The page of a response.
extension Reply {
    var sheet: SheetPage? {
        if case .sheet(let page) = answer.page { page } else { nil }
    }

    /// The consent page.
    var consent: ConsentPage? {
        if case .consent(let page) = sheet?.step { page } else { nil }
    }

    /// The user on the short sheet.
    var returning: SheetPage.Account? {
        if case .returning(let account) = sheet?.step { account } else { nil }
    }

    /// The users in the chooser.
    var people: [SheetPage.Account] {
        if case .chooser(let accounts) = sheet?.step { accounts } else { [] }
    }

    var chooserActions: [String] { people.map(\.action) }

    var failure: FailurePage? {
        if case .failure(let page) = answer.page { page } else { nil }
    }

    /// The form that submits itself.
    var formPost: FormPostPage? {
        if case .formPost(let page) = answer.page { page } else { nil }
    }

    var webMessage: WebMessagePage? {
        if case .webMessage(let page) = answer.page { page } else { nil }
    }

    var account: AppleAccountPage? {
        if case .account(let page) = answer.page { page } else { nil }
    }

    /// The problem with the sent form.
    var problem: PageProblem? {
        if case .failure(let problem, _) = account?.content { return problem }
        return sheet?.problem ?? account?.problem ?? failure?.problem
    }

    /// The prefilled email address of a sign-in page; nil on other pages.
    var askedEmail: String? {
        if case .signIn(let email, _) = sheet?.step { return email }
        if case .signIn(_, let email, _) = account?.content { return email }
        return nil
    }

    /// The people that a sign-in page suggests.
    var suggestedPeople: [SheetPage.Account] {
        if case .signIn(_, let people) = sheet?.step { return people }
        if case .signIn(_, _, let people) = account?.content { return people }
        return []
    }

    /// Whether it is a sign-in page.
    var asksPassword: Bool { askedEmail != nil }

    /// The verification code that the trusted device shows.
    var digits: String? {
        if case .twoFactor(_, let digits) = sheet?.step { return digits }
        if case .twoFactor(_, _, let digits) = account?.content { return digits }
        return nil
    }

    /// The account, and the apps that use it.
    var overview: (holder: AccountHolder, apps: [AccountApp])? {
        if case .overview(let holder, let apps) = account?.content { (holder, apps) } else { nil }
    }

    /// The app that the account page shows.
    var app: AccountApp? {
        if case .app(let app, _) = account?.content { app } else { nil }
    }
}
