import Accounts

/// A field of a form, with the attributes that password managers read.
struct FormField {
    enum Kind {
        case username, usernameOrEmail, password, currentPassword, firstPassword, newPassword
        case email, name
    }

    static let newPasswordName = "new_password"

    let kind: Kind
    /// The initial value; never a password.
    var value = ""
    var isRequired = true
    /// Whether the field only identifies the account for a password manager.
    var isFixed = false
    /// The key of the text below the field.
    var note: String?

    /// The field's name in the posted form.
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

    /// Whether the field is empty when the refused form is shown again.
    var isSecret: Bool {
        switch kind {
        case .password, .currentPassword, .firstPassword, .newPassword: true
        case .username, .usernameOrEmail, .email, .name: false
        }
    }

    /// Returns the values of the template.
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

    /// The limits that notes contain.
    private static func limits(_ text: PageText) -> [String: String] {
        ["minimum": text.number(PasswordRules.scalarCounts.lowerBound)]
    }

    /// The key of the label's text.
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
