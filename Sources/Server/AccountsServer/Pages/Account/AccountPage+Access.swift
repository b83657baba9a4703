import Accounts

/// The sign-in methods: the password, and Apple.
extension AccountPage {
    func password(_ text: PageText) -> [String: Any?] {
        let username = account.username
        let mayAdd = username != nil || isRecent
        let form = mayAdd ? form(.password, passwordForm(username)) : nil
        return [
            "passwordLine": username.map { text.text("passwordUsername", ["username": $0]) },
            "passwordForm": form?.values(text),
            "passwordRemovalPath": form != nil && isReplaceable ? WebPath.passwordRemoval : nil,
            "passwordPath": form == nil ? path(of: .password, isOpen: mayAdd) : nil,
            "passwordChange": text[username == nil ? "addButton" : "changeButton"],
            "passwordLabel": text[username == nil ? "addPassword" : "changePassword"],
        ]
    }

    /// The form contains the username because password managers store the password under it.
    private func passwordForm(_ username: String?) -> PageForm {
        let newPassword = FormField(kind: .newPassword, note: "changePasswordNote")
        let fields: [FormField]
        if let username {
            let known = FormField(kind: .username, value: username, isFixed: true)
            fields =
                [known] + (isReplaceable ? [] : [FormField(kind: .currentPassword)]) + [
                    newPassword
                ]
        } else {
            fields = [FormField(kind: .username, note: "usernameNote"), newPassword]
        }
        return PageForm(action: WebPath.password, button: "savePasswordButton", fields: fields)
    }

    private var isReplaceable: Bool {
        isRecent && account.isPasswordReplaceable(in: visitor.session)
    }

    func apple(_ text: PageText) -> [String: Any?] {
        let link = account.apple
        let isOffered = AppleLinkPage(visitor: visitor, offer: offer).isOffered
        return [
            "appleLine": link.map { text.text("linkedSince", ["day": text.day($0.linkedAt)]) },
            "appleWarning": link?.revokedAt.map {
                text.text("stoppedAtApple", ["day": text.day($0)])
            },
            "isOnlyWay": link != nil && !isOffered,
            "applePath": isOffered ? WebPath.apple : nil,
            "appleChange": text[link == nil ? "linkButton" : "unlinkButton"],
            "appleLabel": text[link == nil ? "linkLabel" : "unlinkLabel"],
        ]
    }
}
