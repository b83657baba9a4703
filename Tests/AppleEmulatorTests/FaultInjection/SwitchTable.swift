import AppleIdentity

@testable import AppleEmulator

/// The table of docs/reference/emulator.md that lists the switches.
enum SwitchTable {
    static var markdown: String {
        let usual = EmulatorSwitches(EmulatorConfiguration()).object
        let rows = EmulatorSwitches.fields.map { field in
            let about = field.about + (field.scope == .lasting ? "; not for a single request" : "")
            let cells = ["`\(field.name)`", values(field), text(usual[field.name]), about]
            return "| \(cells.joined(separator: " | ")) |"
        }
        let head = "| switch | values | usually | what it changes |\n|---|---|---|---|"
        return ([head] + rows).joined(separator: "\n")
    }

    /// Words are set as code, numbers and truth values are not.
    private static func values(_ field: SwitchField) -> String {
        let isBoolean = field.choices == ["true", "false"]
        guard !field.choices.isEmpty, !isBoolean else { return field.values }
        return field.choices.map { "`\($0)`" }.joined(separator: ", ")
    }

    private static func text(_ value: JSONValue?) -> String {
        guard let text = value?.stringValue else { return value.map { $0.text } ?? "" }
        return "`\(text)`"
    }
}
