import JuiceApp

extension JuicePages {
    static func page(of account: AccountScreen) -> Page<JuiceAction> {
        var items: [PageItem<JuiceAction>] = [
            .fact(label: JuiceTexts.name, value: account.name),
            .fact(label: JuiceTexts.email, value: account.email),
        ]
        items += notes(account.emailNote)
        items += [
            .fact(label: JuiceTexts.waysIn, value: account.waysIn.joined(separator: ", ")),
            .fact(label: JuiceTexts.memberSince, value: account.memberSince),
        ]
        items += notes(account.unconfirmedNote, account.unlinkNote)
        items += [
            .heading(""), .action(label: JuiceTexts.changeName, .showName),
            .action(label: JuiceTexts.sessions, .showSessions),
            .action(
                label: account.hasPassword ? JuiceTexts.changePassword : JuiceTexts.setPassword,
                .showPassword
            ),
        ]
        if account.canLinkApple { items.append(.action(label: JuiceTexts.linkApple, .linkApple)) }
        if account.canUnlinkApple {
            items.append(.action(label: JuiceTexts.unlinkApple, .unlinkApple))
        }
        items += [
            .action(label: JuiceTexts.deleteAccount, .showDeletion),
            .action(label: JuiceTexts.signOut, .signOut),
            .action(label: JuiceTexts.back, .showResult),
        ]
        return Page(
            name: "account",
            title: JuiceTexts.accountTitle,
            items: items,
            cancel: .showResult
        )
    }

    static func namePage(_ current: String) -> Page<JuiceAction> {
        let field = PageField(name: FieldName.name, label: JuiceTexts.name, value: current)
        return Page(
            name: "name",
            title: JuiceTexts.changeName,
            items: [
                .form([field], label: JuiceTexts.save, .rename),
                .action(label: JuiceTexts.back, .showAccount),
            ],
            cancel: .showAccount
        )
    }

    static func page(of sessions: [SessionLine]) -> Page<JuiceAction> {
        var items: [PageItem<JuiceAction>] = sessions.map { session in
            let mark = session.isCurrent ? " (\(JuiceTexts.thisDevice))" : ""
            return .fact(label: session.device, value: session.lastUsed + mark)
        }
        items.append(.heading(""))
        let others = sessions.filter { !$0.isCurrent }
        items += others.map { .action(label: JuiceTexts.endSession($0.device), .endSession($0.id)) }
        if !others.isEmpty {
            items.append(.action(label: JuiceTexts.endOtherSessions, .endOtherSessions))
        }
        items.append(.action(label: JuiceTexts.back, .showAccount))
        return Page(
            name: "sessions",
            title: JuiceTexts.sessions,
            items: items,
            cancel: .showAccount
        )
    }

    static func page(of password: PasswordScreen) -> Page<JuiceAction> {
        let first =
            password.isFirst
            ? PageField(name: FieldName.username, label: JuiceTexts.username)
            : secret(FieldName.password, JuiceTexts.currentPassword)
        return Page(
            name: "password",
            title: password.isFirst ? JuiceTexts.setPassword : JuiceTexts.changePassword,
            items: [
                .form(
                    [first, secret(FieldName.newPassword, JuiceTexts.newPassword)],
                    label: JuiceTexts.save,
                    .changePassword
                ),
                .action(label: JuiceTexts.back, .showAccount),
            ],
            cancel: .showAccount
        )
    }

    static func confirmationPage(_ username: String) -> Page<JuiceAction> {
        Page(
            name: "confirmation",
            title: JuiceTexts.confirmTitle,
            items: [
                .text(JuiceTexts.confirmLead(username)),
                .form(
                    [secret(FieldName.password, JuiceTexts.password)],
                    label: JuiceTexts.confirm,
                    .confirm
                ),
                .action(label: JuiceTexts.back, .leaveConfirmation),
            ],
            cancel: .leaveConfirmation
        )
    }

    static func deletionPage(_ lead: String) -> Page<JuiceAction> {
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
}
