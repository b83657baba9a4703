import JuiceApp

enum JuiceAction: Hashable, Sendable {
    case signInWithApple, signIn, useStoredPassword, useBrowser, createAccount
    case showCreateAccount, showLogin
    case showResult, showAccount, showName, showSessions, showPassword, showDeletion, showSecureTask
    case rename, endSession(String), endOtherSessions, linkApple, unlinkApple, changePassword
    case confirm, leaveConfirmation
    case deleteAccount, runSecureTask, runSecureTaskFresh, signOut, answerAttention
    case showAccessToken, openSettings, quit
}

@MainActor enum JuicePages {
    private typealias Item = PageItem<JuiceAction>

    /// The page of the app's current screen, with actions for Settings and to quit.
    ///
    /// With an audience, the account page offers an access token for it.
    static func page(of model: JuiceModel, audience: String?) -> Page<JuiceAction> {
        var page = page(of: model.screen)
        if let audience, case .account = model.screen {
            let label = JuiceTexts.showAccessToken(for: audience)
            page.items.append(.action(label: label, .showAccessToken))
        }
        page.problem = model.problem
        page.notice = model.notice
        page.items += [
            .heading(""), .action(label: "Settings of the device", .openSettings),
            .action(label: "Quit", .quit),
        ]
        return page
    }

    private static func page(of screen: JuiceScreen) -> Page<JuiceAction> {
        switch screen {
        case .launching:
            Page(name: "launching", title: JuiceTexts.appName, items: [.text(JuiceTexts.launching)])
        case .login(let login): page(of: login)
        case .createAccount: createAccountPage
        case .result(let result): page(of: result)
        case .account(let account): page(of: account)
        case .name(let current): namePage(current)
        case .sessions(let sessions): page(of: sessions)
        case .password(let password): page(of: password)
        case .deletion(let lead): deletionPage(lead)
        case .confirmation(let username): confirmationPage(username)
        case .secureTask(let task): page(of: task)
        case .attention(let attention): page(of: JuiceTexts.attention(attention))
        }
    }

    /// A page whose last action and escape key lead back to another one.
    private static func page(
        _ name: String,
        _ title: String,
        back: JuiceAction,
        _ items: [Item]
    ) -> Page<JuiceAction> {
        let way = Item.action(label: JuiceTexts.back, back)
        return Page(name: name, title: title, items: items + [way], cancel: back)
    }

    private static func page(of login: LoginScreen) -> Page<JuiceAction> {
        var items: [Item] = [
            .text(JuiceTexts.loginLead),
            .action(label: JuiceTexts.signInWithApple, .signInWithApple),
        ]
        if login.offersBrowser {
            items.append(.action(label: JuiceTexts.signInWithBrowser, .useBrowser))
        }
        items.append(.heading(JuiceTexts.passwordHeading))
        if let user = login.username, login.hasStoredPassword {
            items += [
                .note(JuiceTexts.storedPassword(of: user)),
                .action(label: JuiceTexts.useStoredPassword(of: user), .useStoredPassword),
            ]
        }
        let fields: [PageField] = [
            .text(FieldName.username, JuiceTexts.username, login.username),
            .secret(FieldName.password, JuiceTexts.password),
        ]
        items += [
            .form(fields, label: JuiceTexts.signIn, .signIn),
            .action(label: JuiceTexts.createAccount, .showCreateAccount),
        ]
        return Page(name: "login", title: JuiceTexts.loginTitle, items: items)
    }

    private static var createAccountPage: Page<JuiceAction> {
        let fields: [PageField] = [
            .text(FieldName.name, JuiceTexts.nameOptional),
            .text(FieldName.username, JuiceTexts.username),
            .secret(FieldName.password, JuiceTexts.password),
        ]
        let form = Item.form(fields, label: JuiceTexts.createAccount, .createAccount)
        return page("create", JuiceTexts.createAccount, back: .showLogin, [form])
    }

    private static func page(of result: ResultScreen) -> Page<JuiceAction> {
        let facts: [Item] = [
            .fact(label: JuiceTexts.identifier, value: result.identifier),
            .fact(label: JuiceTexts.givenName, value: result.givenName),
            .fact(label: JuiceTexts.familyName, value: result.familyName),
            .fact(label: JuiceTexts.email, value: result.email),
        ]
        let actions: [Item] = [
            .heading(""), .action(label: JuiceTexts.openAccount, .showAccount),
            .action(label: JuiceTexts.openSecureTask, .showSecureTask),
            .action(label: JuiceTexts.signOut, .signOut),
        ]
        return Page(
            name: "result",
            title: JuiceTexts.resultTitle,
            items: facts + notes(result.emailNote, result.unconfirmedNote) + actions
        )
    }

    private static func page(
        of attention: (title: String, sentence: String, nextStep: String)
    ) -> Page<JuiceAction> {
        let step = Item.action(label: attention.nextStep, .answerAttention)
        return Page(
            name: "attention",
            title: attention.title,
            items: [.text(attention.sentence), step]
        )
    }

    private static func page(of task: SecureTaskScreen) -> Page<JuiceAction> {
        var items: [Item] = [.text(JuiceTexts.secureTaskLead)]
        if let result = task.result {
            items += [.fact(label: JuiceTexts.recipe, value: result), .heading("")]
        }
        items += [
            .action(label: JuiceTexts.runSecureTask, .runSecureTask),
            .action(label: JuiceTexts.runSecureTaskFresh, .runSecureTaskFresh),
        ]
        return page("secure-task", JuiceTexts.secureTaskTitle, back: .showResult, items)
    }

    private static func page(of account: AccountScreen) -> Page<JuiceAction> {
        var items: [Item] = [
            .fact(label: JuiceTexts.name, value: account.name),
            .fact(label: JuiceTexts.email, value: account.email),
        ]
        items += notes(account.emailNote)
        items += [
            .fact(label: JuiceTexts.waysIn, value: account.waysIn.joined(separator: ", ")),
            .fact(label: JuiceTexts.memberSince, value: account.memberSince),
        ]
        items += notes(account.unconfirmedNote, account.unlinkNote)
        let password = account.hasPassword ? JuiceTexts.changePassword : JuiceTexts.setPassword
        items += [
            .heading(""), .action(label: JuiceTexts.changeName, .showName),
            .action(label: JuiceTexts.sessions, .showSessions),
            .action(label: password, .showPassword),
        ]
        if account.canLinkApple { items.append(.action(label: JuiceTexts.linkApple, .linkApple)) }
        if account.canUnlinkApple {
            items.append(.action(label: JuiceTexts.unlinkApple, .unlinkApple))
        }
        items += [
            .action(label: JuiceTexts.deleteAccount, .showDeletion),
            .action(label: JuiceTexts.signOut, .signOut),
        ]
        return page("account", JuiceTexts.accountTitle, back: .showResult, items)
    }

    private static func namePage(_ current: String) -> Page<JuiceAction> {
        let field = PageField.text(FieldName.name, JuiceTexts.name, current)
        let form = Item.form([field], label: JuiceTexts.save, .rename)
        return page("name", JuiceTexts.changeName, back: .showAccount, [form])
    }

    private static func page(of sessions: [SessionLine]) -> Page<JuiceAction> {
        let others = sessions.filter { !$0.isCurrent }
        var items: [Item] = sessions.map { session in
            let mark = session.isCurrent ? " (\(JuiceTexts.thisDevice))" : ""
            return .fact(label: session.device, value: session.lastUsed + mark)
        }
        items.append(.heading(""))
        items += others.map { .action(label: JuiceTexts.endSession($0.device), .endSession($0.id)) }
        if !others.isEmpty {
            items.append(.action(label: JuiceTexts.endOtherSessions, .endOtherSessions))
        }
        return page("sessions", JuiceTexts.sessions, back: .showAccount, items)
    }

    private static func page(of password: PasswordScreen) -> Page<JuiceAction> {
        let first: PageField =
            password.isFirst
            ? .text(FieldName.username, JuiceTexts.username)
            : .secret(FieldName.password, JuiceTexts.currentPassword)
        let new = PageField.secret(FieldName.newPassword, JuiceTexts.newPassword)
        let title = password.isFirst ? JuiceTexts.setPassword : JuiceTexts.changePassword
        let form = Item.form([first, new], label: JuiceTexts.save, .changePassword)
        return page("password", title, back: .showAccount, [form])
    }

    private static func confirmationPage(_ username: String) -> Page<JuiceAction> {
        let field = PageField.secret(FieldName.password, JuiceTexts.password)
        return page(
            "confirmation",
            JuiceTexts.confirmTitle,
            back: .leaveConfirmation,
            [
                .text(JuiceTexts.confirmLead(username)),
                .form([field], label: JuiceTexts.confirm, .confirm),
            ]
        )
    }

    private static func deletionPage(_ lead: String) -> Page<JuiceAction> {
        Page(
            name: "deletion",
            title: JuiceTexts.deleteAccount,
            items: [
                .text(lead),
                .action(label: JuiceTexts.keepAccount, .showAccount),
                .action(label: JuiceTexts.deleteForGood, .deleteAccount),
            ],
            cancel: .showAccount
        )
    }

    private static func notes(_ notes: String?...) -> [Item] {
        notes.compactMap(\.self).map { .note($0) }
    }
}
