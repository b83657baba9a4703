import Accounts

/// A form on a page; when it is refused, it is shown again with the entered values and the error.
struct PageForm {
    typealias HiddenField = (name: String, value: String)

    /// The path to which the form is posted.
    let action: String
    /// The key of the button's text.
    let button: String
    var fields: [FormField]
    var hidden: [HiddenField] = []
    /// The prefix of the fields' ids on a page that has another form with the same fields.
    var idPrefix = ""
    /// The path of the cancel link; nil for no link.
    var cancelPath: String?
    private(set) var error: ServerError?

    /// Returns the form with the entered values and the error, if it was refused.
    func refused(_ refused: RefusedForm?) -> PageForm {
        guard let (error, posted) = refused else { return self }
        var form = self
        form.error = error
        form.fields = fields.map { field in
            var field = field
            if !field.isSecret, !field.isFixed { field.value = posted[field.name] ?? "" }
            return field
        }
        return form
    }

    /// Returns the values of the template.
    func values(_ text: PageText) -> [String: Any] {
        let fieldName = error.flatMap { error in
            fields.first { Self.fieldNames(of: error.code).contains($0.name) && !$0.isFixed }?.name
        }
        var values: [String: Any] = [
            "action": action,
            "button": text[button],
            "hidden": hidden.map { ["hiddenName": $0.name, "hiddenValue": $0.value] },
            "fields": fields.map {
                $0.values(text, idPrefix: idPrefix, $0.name == fieldName ? error : nil)
            },
            "hasFormError": error != nil && fieldName == nil,
            "formError": error.map(text.sentence) ?? "",
            "formErrorCode": error?.code ?? "",
            "hasCancel": cancelPath != nil,
        ]
        values["cancelPath"] = cancelPath
        return values
    }

    /// Returns the fields that can show an error; the form itself shows all other errors.
    private static func fieldNames(of code: String) -> [String] {
        switch AccountsError.Code(rawValue: code) {
        case .credentialsInvalid: ["password", "current_password"]
        case .usernameTaken, .usernameInvalid, .usernameRequired: ["username"]
        case .passwordTooShort, .passwordTooLong, .passwordTooCommon, .passwordIsUsername,
            .passwordTooObvious:
            ["new_password", "password"]
        case .nameTooLong, .nameEmpty: ["name"]
        case .emailInvalid: ["email"]
        default: []
        }
    }
}
