import AppleEmulator
import AppleIdentity

/// A form of the console, which posts the fields of an operation of the control port.
struct ConsoleForm {
    enum Style { case plain, primary, danger }

    let id: String
    let action: String
    let button: String
    var style: Style
    /// Whether the form is narrow, for fields with short numbers.
    let isCompact: Bool
    /// Whether a change posts the form; without scripts its button does.
    let isAtOnce: Bool
    /// The button's label for screen readers, if it is in a table row.
    private var spoken: String?
    private var hidden: [(name: String, value: String)] = []
    private var fields: [ConsoleField] = []

    init(
        _ id: String,
        to action: String,
        _ button: String,
        _ style: Style = .plain,
        isCompact: Bool = false,
        isAtOnce: Bool = false
    ) {
        (self.id, self.action, self.button) = (id, action, button)
        (self.style, self.isCompact, self.isAtOnce) = (style, isCompact, isAtOnce)
    }

    func asking(_ fields: [ConsoleField]) -> ConsoleForm {
        var form = self
        form.fields = fields
        return form
    }

    /// Returns the form with hidden fields, and with a spoken label if it is a row's button.
    func sending(
        _ hidden: [(name: String, value: String)],
        spoken: String? = nil
    ) -> ConsoleForm {
        var form = self
        (form.hidden, form.spoken) = (hidden, spoken)
        return form
    }

    /// Returns the form with the values that an object has in its fields.
    func filled(with object: JSONObject) -> ConsoleForm {
        var form = self
        for index in fields.indices {
            form.fields[index].value = ConsoleText.input(object[fields[index].name])
        }
        return form
    }

    var fieldNames: [String] { fields.map(\.name) }

    func object(of input: ConsoleInput?) -> JSONObject {
        var object = JSONObject()
        for (name, _) in hidden {
            if let text = input?[name], !text.isEmpty { object[name] = .string(text) }
        }
        for field in fields { object[field.name] = field.value(of: input?[field.name]) }
        return object
    }

    func content(
        filledWith input: ConsoleInput?,
        refusal: ControlRefusal?
    ) -> JSONObject {
        [
            "id": .string(id), "action": .string(action),
            "button": .string(button),
            "is_primary": .boolean(style == .primary), "is_dangerous": .boolean(style == .danger),
            "is_row": .boolean(spoken != nil), "is_compact": .boolean(isCompact),
            "is_at_once": .boolean(isAtOnce),
            "spoken": .string(spoken ?? ""),
            "hidden": .list(hidden.map { ["name": .string($0.name), "value": .string($0.value)] }),
            "fields": .list(
                fields.map { field in
                    field.content(
                        id: "\(id)-\(field.name)",
                        filledWith: input,
                        problem: refusal?.field == field.name ? refusal?.message : nil
                    )
                }
            ),
        ]
    }
}
