import Accounts

/// The page that an email about a change links to: it lists what undoing the change restores.
struct ChangeUndoPage: FormPage {
    static let template = PageTemplate.undo

    /// The token of the emailed link.
    let token: String
    /// The account before the change.
    let account: Account
    var refused: RefusedForm?

    var titleWord: String { "undoTitle" }

    func values(_ text: PageText) -> [String: Any?] {
        [
            "points": points(text),
            "form": form.refused(refused).values(text),
        ]
    }

    private func points(_ text: PageText) -> [String] {
        [
            account.email.map { text.text("undoEmail", ["address": $0.text]) },
            account.username.map { text.text("undoPassword", ["username": $0]) }
                ?? text["undoNoPassword"],
            text[account.apple == nil ? "undoNoApple" : "undoApple"],
        ]
        .compactMap(\.self)
    }

    private var form: PageForm {
        let password = FormField(
            kind: .newPassword,
            isRequired: false,
            note: "undoPasswordNote"
        )
        var form = PageForm(
            action: WebPath.undoChange,
            button: "undoButton",
            fields: account.username == nil ? [] : [password]
        )
        form.hidden = [("token", token)]
        return form
    }
}
