import JuiceApp

/// The screens of the app as pages.
@MainActor enum JuicePages {
    private typealias Item = PageItem<JuiceAction>

    /// The page for what the app shows now, with the ways to Settings and out.
    static func page(of model: JuiceModel) -> Page<JuiceAction> {
        var page = page(of: model.screen)
        page.problem = model.problem
        page.notice = model.notice
        page.items += [
            .heading(""), .action(label: DeviceTexts.settings, .openSettings),
            .action(label: DeviceTexts.quit, .quit),
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
        items += [
            .form(
                [
                    PageField(
                        name: FieldName.username,
                        label: JuiceTexts.username,
                        value: login.username ?? ""
                    ),
                    secret(FieldName.password, JuiceTexts.password),
                ],
                label: JuiceTexts.signIn,
                .signIn
            ),
            .action(label: JuiceTexts.createAccount, .showCreateAccount),
        ]
        return Page(name: "login", title: JuiceTexts.loginTitle, items: items)
    }

    private static var createAccountPage: Page<JuiceAction> {
        Page(
            name: "create",
            title: JuiceTexts.createAccount,
            items: [
                .form(
                    [
                        PageField(name: FieldName.name, label: JuiceTexts.nameOptional),
                        PageField(name: FieldName.username, label: JuiceTexts.username),
                        secret(FieldName.password, JuiceTexts.password),
                    ],
                    label: JuiceTexts.createAccount,
                    .createAccount
                ),
                .action(label: JuiceTexts.back, .showLogin),
            ],
            cancel: .showLogin
        )
    }

    private static func page(of result: ResultScreen) -> Page<JuiceAction> {
        var items: [Item] = [
            .fact(label: JuiceTexts.identifier, value: result.identifier),
            .fact(label: JuiceTexts.givenName, value: result.givenName),
            .fact(label: JuiceTexts.familyName, value: result.familyName),
            .fact(label: JuiceTexts.email, value: result.email),
        ]
        items += notes(result.emailNote, result.unconfirmedNote)
        items += [
            .heading(""), .action(label: JuiceTexts.openAccount, .showAccount),
            .action(label: JuiceTexts.openSecureTask, .showSecureTask),
            .action(label: JuiceTexts.signOut, .signOut),
        ]
        return Page(name: "result", title: JuiceTexts.resultTitle, items: items)
    }

    private static func page(
        of attention: (title: String, sentence: String, nextStep: String)
    ) -> Page<JuiceAction> {
        Page(
            name: "attention",
            title: attention.title,
            items: [
                .text(attention.sentence),
                .action(label: attention.nextStep, .answerAttention),
            ]
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
            .action(label: JuiceTexts.back, .showResult),
        ]
        return Page(
            name: "secure-task",
            title: JuiceTexts.secureTaskTitle,
            items: items,
            cancel: .showResult
        )
    }

    static func secret(_ name: String, _ label: String) -> PageField {
        PageField(name: name, label: label, kind: .secret)
    }

    static func notes(_ notes: String?...) -> [PageItem<JuiceAction>] {
        notes.compactMap(\.self).map { .note($0) }
    }
}
