import JuiceApp

enum JuiceAction: Hashable, Sendable {
    case signInWithApple, signIn, useStoredPassword, useBrowser, createAccount
    case showCreateAccount, showLogin
    case showResult, showAccount, showName, showSessions, showPassword, showDeletion, showSecureTask
    case rename, endSession(String), endOtherSessions, linkApple, unlinkApple, changePassword
    case confirm, leaveConfirmation
    case deleteAccount, runSecureTask, runSecureTaskFresh, signOut, answerAttention
    case showAccessToken, openSettings, quit

    /// Whether the action only shows another page, without an answer of the server or the device.
    var isImmediate: Bool {
        switch self {
        case .showCreateAccount, .showLogin, .showResult, .showName, .showPassword, .showDeletion,
            .showSecureTask, .leaveConfirmation, .openSettings, .quit:
            true
        default: false
        }
    }
}

@MainActor enum JuicePages {
    private typealias Item = PageItem<JuiceAction>

    /// The page of the app's current screen, with actions for Settings and to quit.
    ///
    /// With an audience, the account page offers an access token for it.
    static func page(of model: JuiceModel, audience: String?) -> TerminalPage<JuiceAction> {
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

    private static func page(of screen: JuiceScreen) -> TerminalPage<JuiceAction> {
        switch screen {
        case .launching:
            TerminalPage(title: JuiceTexts.appName, items: [.text(JuiceTexts.launching)])
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
        case .ended(let reason): page(of: JuiceTexts.ended(reason))
        }
    }

    /// A page whose last action leads back to another one.
    private static func page(
        _ title: String,
        back: JuiceAction,
        _ items: [Item]
    ) -> TerminalPage<JuiceAction> {
        let way = Item.action(label: JuiceTexts.back, back)
        return TerminalPage(title: title, items: items + [way])
    }

    private static func page(of login: LoginScreen) -> TerminalPage<JuiceAction> {
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
                .text(JuiceTexts.storedPassword(of: user)),
                .action(label: JuiceTexts.useStoredPassword(of: user), .useStoredPassword),
            ]
        }
        let fields: [PageField] = [
            .text(FieldName.username, JuiceTexts.usernameOrEmail, login.username),
            .secret(FieldName.password, JuiceTexts.password),
        ]
        items += [
            .action(label: JuiceTexts.signIn, .signIn, fields: fields),
            .action(label: JuiceTexts.createAccount, .showCreateAccount),
        ]
        return TerminalPage(title: JuiceTexts.loginTitle, items: items)
    }

    private static var createAccountPage: TerminalPage<JuiceAction> {
        let fields: [PageField] = [
            .text(FieldName.name, JuiceTexts.nameOptional),
            .text(FieldName.username, JuiceTexts.username),
            .secret(FieldName.password, JuiceTexts.password),
        ]
        let form = Item.action(label: JuiceTexts.createAccount, .createAccount, fields: fields)
        return page(JuiceTexts.createAccount, back: .showLogin, [form])
    }

    private static func page(of result: ResultScreen) -> TerminalPage<JuiceAction> {
        let facts: [Item] = [
            .fact(label: JuiceTexts.identifier, value: result.identifier),
            .fact(label: JuiceTexts.givenName, value: result.givenName),
            .fact(label: JuiceTexts.familyName, value: result.familyName),
            .fact(label: JuiceTexts.email, value: result.email),
        ]
        let actions: [Item] = [
            .action(label: JuiceTexts.openAccount, .showAccount),
            .action(label: JuiceTexts.openSecureTask, .showSecureTask),
            .action(label: JuiceTexts.signOut, .signOut),
        ]
        return TerminalPage(
            title: JuiceTexts.resultTitle,
            items: facts + notes(result.emailNote, result.unconfirmedNote) + actions
        )
    }

    private static func page(
        of attention: (title: String, sentence: String, nextStep: String)
    ) -> TerminalPage<JuiceAction> {
        let step = Item.action(label: attention.nextStep, .answerAttention)
        return TerminalPage(
            title: attention.title,
            items: [.text(attention.sentence), step]
        )
    }

    private static func page(of task: SecureTaskScreen) -> TerminalPage<JuiceAction> {
        var items: [Item] = [.text(JuiceTexts.secureTaskLead)]
        if let result = task.result {
            items += [.fact(label: JuiceTexts.recipe, value: result)]
        }
        items += [
            .action(label: JuiceTexts.runSecureTask, .runSecureTask),
            .action(label: JuiceTexts.runSecureTaskFresh, .runSecureTaskFresh),
        ]
        return page(JuiceTexts.secureTaskTitle, back: .showResult, items)
    }

    private static func page(of account: AccountScreen) -> TerminalPage<JuiceAction> {
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
            .action(label: JuiceTexts.changeName, .showName),
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
        return page(JuiceTexts.accountTitle, back: .showResult, items)
    }

    private static func namePage(_ current: String) -> TerminalPage<JuiceAction> {
        let field = PageField.text(FieldName.name, JuiceTexts.name, current)
        let form = Item.action(label: JuiceTexts.save, .rename, fields: [field])
        return page(JuiceTexts.changeName, back: .showAccount, [form])
    }

    private static func page(of sessions: [SessionLine]) -> TerminalPage<JuiceAction> {
        let others = sessions.filter { !$0.isCurrent }
        var items: [Item] = sessions.map { session in
            let mark = session.isCurrent ? " (\(JuiceTexts.thisDevice))" : ""
            return .fact(label: session.device, value: session.lastUsed + mark)
        }
        items += others.map { .action(label: JuiceTexts.endSession($0.device), .endSession($0.id)) }
        if !others.isEmpty {
            items.append(.action(label: JuiceTexts.endOtherSessions, .endOtherSessions))
        }
        return page(JuiceTexts.sessions, back: .showAccount, items)
    }

    private static func page(of password: PasswordScreen) -> TerminalPage<JuiceAction> {
        let first: PageField =
            password.isFirst
            ? .text(FieldName.username, JuiceTexts.username)
            : .secret(FieldName.password, JuiceTexts.currentPassword)
        let new = PageField.secret(FieldName.newPassword, JuiceTexts.newPassword)
        let title = password.isFirst ? JuiceTexts.setPassword : JuiceTexts.changePassword
        let form = Item.action(label: JuiceTexts.save, .changePassword, fields: [first, new])
        return page(title, back: .showAccount, [form])
    }

    private static func confirmationPage(_ username: String) -> TerminalPage<JuiceAction> {
        let field = PageField.secret(FieldName.password, JuiceTexts.password)
        return page(
            JuiceTexts.confirmTitle,
            back: .leaveConfirmation,
            [
                .text(JuiceTexts.confirmLead(username)),
                .action(label: JuiceTexts.confirm, .confirm, fields: [field]),
            ]
        )
    }

    private static func deletionPage(_ lead: String) -> TerminalPage<JuiceAction> {
        TerminalPage(
            title: JuiceTexts.deleteAccount,
            items: [
                .text(lead),
                .action(label: JuiceTexts.keepAccount, .showAccount),
                .action(label: JuiceTexts.deleteForGood, .deleteAccount),
            ]
        )
    }

    private static func notes(_ notes: String?...) -> [Item] {
        notes.compactMap(\.self).map { .text($0) }
    }
}
