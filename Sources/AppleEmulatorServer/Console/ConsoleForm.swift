import AppleEmulator
import AppleIdentity
import Foundation

/// A form of the console, which posts what an operation of the control port takes as JSON.
struct ConsoleForm {
    enum Style {
        case plain, primary, danger
    }

    /// Unique in its page.
    let id: String
    let action: String
    let button: String
    var style = Style.plain
    /// Whether it stands in a row of a table, where its button alone says too little.
    var isRow = false
    /// Whether its fields are short numbers.
    var isCompact = false
    /// The button's words for those who don't see the row.
    var spoken = ""
    var hidden: [(name: String, value: String)] = []
    var fields: [ConsoleField] = []

    /// The members that a filled form means; what is left empty is left out.
    func object(of input: ConsoleInput?) -> JSONObject {
        var object = JSONObject()
        for (name, _) in hidden {
            if let text = input?[name], !text.isEmpty { object[name] = .string(text) }
        }
        for field in fields { object[field.name] = field.value(of: input?[field.name]) }
        return object
    }

    /// What the template needs to know.
    func content(filledWith input: ConsoleInput?, refusal: ControlRefusal?) -> JSONObject {
        [
            "id": .string(id), "action": .string(action), "button": .string(button),
            "is_primary": .boolean(style == .primary),
            "is_dangerous": .boolean(style == .danger), "is_row": .boolean(isRow),
            "is_compact": .boolean(isCompact),
            "spoken": .string(spoken),
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
