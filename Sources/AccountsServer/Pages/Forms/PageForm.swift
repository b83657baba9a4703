/// A form on a page; refused, it comes back with what was typed and what is wrong with it.
struct PageForm {
    /// A field that nobody sees.
    typealias HiddenField = (name: String, value: String)

    /// Where it is posted.
    let action: String
    /// The name of its button's text.
    let button: String
    var fields: [FormField]
    var hidden: [HiddenField] = []
    /// What the ids of its fields begin with, where a page has another form with the same fields.
    var idPrefix = ""
    /// Where a person goes who changed their mind; nil for nowhere.
    var cancelPath: String?
    private(set) var error: ServerError?

    init(action: String, button: String, fields: [FormField]) {
        self.action = action
        self.button = button
        self.fields = fields
    }

    /// The same form after it was refused.
    func refused(_ error: ServerError, _ posted: PostedForm) -> PageForm {
        var form = self
        form.error = error
        form.fields = fields.map { field in
            var field = field
            if !field.isSecret, !field.isFixed { field.value = posted[field.name] ?? "" }
            return field
        }
        return form
    }

    /// What the template shows.
    func values(_ text: PageText) -> [String: Any] {
        let told = error.flatMap { error in
            fields.first { Self.fieldNames(of: error.code).contains($0.name) && !$0.isFixed }?.name
        }
        var values: [String: Any] = [
            "action": action,
            "button": text[button],
            "hidden": hidden.map { ["hiddenName": $0.name, "hiddenValue": $0.value] },
            "fields": fields.map {
                $0.values(text, idPrefix: idPrefix, $0.name == told ? error : nil)
            },
            "hasFormError": error != nil && told == nil,
            "formError": error.map(text.sentence) ?? "",
            "formErrorCode": error?.code ?? "",
            "hasCancel": cancelPath != nil,
        ]
        values["cancelPath"] = cancelPath
        return values
    }

    /// The fields beside which a refusal may be told; the form's own place is for all others.
    private static func fieldNames(of code: String) -> [String] {
        switch code {
        case "credentials_invalid": ["password", "current_password"]
        case "username_taken", "username_invalid", "username_required": ["username"]
        case "password_too_short", "password_too_long", "password_too_common",
            "password_is_username", "password_too_obvious":
            ["new_password", "password"]
        case "name_too_long", "name_empty": ["name"]
        case "email_invalid": ["email"]
        default: []
        }
    }
}
