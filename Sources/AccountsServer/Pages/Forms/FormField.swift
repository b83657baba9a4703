import Accounts

/// A field of a form, as people and their password managers know it.
struct FormField {
    /// What is typed into it.
    enum Kind {
        case username, usernameOrEmail, password, currentPassword, firstPassword, newPassword
        case email, name
    }

    /// The name of a new password's field.
    static let newPasswordName = "new_password"

    let kind: Kind
    /// What stands in it; never a password.
    var value = ""
    var isRequired = true
    /// Whether it only tells a password manager what the form is about.
    var isFixed = false
    /// The name of the text below it.
    var note: String?

    /// Its name in the posted form.
    var name: String {
        switch kind {
        case .username, .usernameOrEmail: "username"
        case .password, .firstPassword: "password"
        case .currentPassword: "current_password"
        case .newPassword: Self.newPasswordName
        case .email: "email"
        case .name: "name"
        }
    }

    /// Whether it comes back empty when the form is refused.
    var isSecret: Bool {
        switch kind {
        case .password, .currentPassword, .firstPassword, .newPassword: true
        case .username, .usernameOrEmail, .email, .name: false
        }
    }

    /// What the template shows.
    func values(_ text: PageText, idPrefix: String, _ error: ServerError?) -> [String: Any] {
        let id = idPrefix + name
        var describing = note.map { _ in ["\(id)-note"] } ?? []
        if error != nil { describing.append("\(id)-error") }
        return [
            "fieldName": name,
            "fieldID": id,
            "label": text[isRequired ? label : label + "Optional"],
            "type": isSecret ? "password" : kind == .email ? "email" : "text",
            "autocomplete": autocomplete,
            "isSpelt": kind == .name,
            "hasValue": !value.isEmpty && !isSecret,
            "value": isSecret ? "" : value,
            "isRequired": isRequired,
            "isFixed": isFixed,
            "hasDescription": !describing.isEmpty,
            "describedBy": describing.joined(separator: " "),
            "hasNote": note != nil,
            "note": note.map { text.text($0, Self.limits(text)) } ?? "",
            "hasError": error != nil,
            "error": error.map(text.sentence) ?? "",
            "errorCode": error?.code ?? "",
        ]
    }

    /// The limits that notes name.
    private static func limits(_ text: PageText) -> [String: String] {
        ["minimum": text.number(PasswordRules.scalarCounts.lowerBound)]
    }

    /// The name of its label's text.
    private var label: String {
        switch kind {
        case .username: "username"
        case .usernameOrEmail: "usernameOrEmail"
        case .password, .firstPassword: "password"
        case .currentPassword: "currentPassword"
        case .newPassword: "newPassword"
        case .email: "emailAddress"
        case .name: "name"
        }
    }

    /// A token of [HTML's autofill](https://html.spec.whatwg.org/multipage/form-control-infrastructure.html#autofill).
    private var autocomplete: String {
        switch kind {
        case .username, .usernameOrEmail: "username"
        case .password, .currentPassword: "current-password"
        case .firstPassword, .newPassword: "new-password"
        case .email: "email"
        case .name: "name"
        }
    }
}
