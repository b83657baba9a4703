import AppleEmulator
import AppleIdentity
import Foundation

/// One field of a form.
struct ConsoleField {
    enum Kind {
        case text
        case email
        /// A value that is not shown again when the form is refused.
        case password
        case number
        /// A text area.
        case area
        /// A text area with one value per line.
        case lines
        case json
        case check
        /// One of these values, each with its label.
        case choice([(value: String, label: String)])
    }

    let name: String
    let label: String
    var kind: Kind
    var value: String
    private var hint: String?
    let isRequired: Bool
    let maximumCount: Int

    init(
        _ name: String,
        _ label: String,
        _ kind: Kind = .text,
        value: String = "",
        isRequired: Bool = false,
        maximumCount: Int = 512
    ) {
        (self.name, self.label, self.kind) = (name, label, kind)
        (self.value, self.isRequired, self.maximumCount) = (value, isRequired, maximumCount)
    }

    func hint(_ hint: String?) -> ConsoleField {
        var field = self
        field.hint = hint
        return field
    }

    /// Whether the value is one of the field's choices; any field without choices offers it.
    func offers(_ value: String) -> Bool {
        guard case .choice(let options) = kind else { return true }
        return options.contains { $0.value == value }
    }

    /// The input as the value of a JSON member; nil if it is empty.
    func value(of text: String?) -> JSONValue? {
        if case .check = kind { return .boolean(text == "true") }
        guard let text, !text.isEmpty else { return nil }
        let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
        switch kind {
        case .area, .password: return .string(text)
        case .lines:
            let lines = text.split(whereSeparator: \.isNewline)
                .map { $0.trimmingCharacters(in: .whitespaces) }
                .filter { !$0.isEmpty }
            return lines.isEmpty ? nil : .array(lines.map { .string($0) })
        case .number: return Int(trimmed).map { .integer($0) } ?? .string(trimmed)
        case .json: return (try? JSONValue(parsing: Data(text.utf8))) ?? .string(text)
        default: return trimmed.isEmpty ? nil : .string(trimmed)
        }
    }

    func content(
        id: String,
        filledWith input: ConsoleInput?,
        problem: String?
    ) -> JSONObject {
        var object: JSONObject = [
            "id": .string(id), "name": .string(name), "label": .string(label),
            "hint": .string(hint ?? ""), "width": .string(width),
            "error": .string(problem.map(ConsoleText.sentence) ?? ""),
            "attributes": .string(attributes(id: id, hasProblem: problem != nil)),
        ]
        let shown = input.map { $0[name] ?? "" } ?? value
        object["value"] = .string(shown)
        switch kind {
        case .area, .lines, .json:
            object["is_area"] = true
            object["rows"] = .integer(3)
        case .check:
            object["is_check"] = true
            object["is_checked"] = .boolean(shown == "true")
        case .choice(let options):
            object["is_choice"] = true
            object["options"] = .list(
                options.map { option in
                    [
                        "value": .string(option.value),
                        "label": .string(option.label),
                        "is_chosen": .boolean(option.value == shown),
                    ]
                }
            )
        case .password:
            object["is_input"] = true
            object["type"] = "text"
            object["value"] = ""
        case .text, .email, .number:
            object["is_input"] = true
            object["type"] = "text"
        }
        return object
    }

    /// The style of a field that is shorter or longer than most.
    private var width: String {
        switch kind {
        case .number: "short"
        case .area, .lines, .json: "wide"
        case .text where maximumCount < 20: "short"
        case .text where maximumCount > 1_000: "long"
        default: ""
        }
    }

    /// The field's HTML attributes; their values come from the console and need no escaping.
    private func attributes(id: String, hasProblem: Bool) -> String {
        var attributes: [String] = []
        switch kind {
        case .check, .choice: break
        case .area, .lines, .json: attributes.append("spellcheck=\"false\"")
        case .number: attributes += ["inputmode=\"numeric\"", "autocomplete=\"off\""]
        case .email:
            attributes += [
                "inputmode=\"email\"", "autocomplete=\"off\"", "autocapitalize=\"none\"",
                "maxlength=\"254\"",
            ]
        case .text, .password:
            attributes += [
                "autocomplete=\"off\"", "autocapitalize=\"none\"", "maxlength=\"\(maximumCount)\"",
            ]
        }
        if isRequired { attributes.append("required") }
        if hasProblem { attributes.append("aria-invalid=\"true\"") }
        let described = [hint == nil ? nil : "\(id)-hint", hasProblem ? "\(id)-error" : nil]
            .compactMap(\.self)
        if !described.isEmpty {
            attributes.append("aria-describedby=\"\(described.joined(separator: " "))\"")
        }
        return attributes.map { " " + $0 }.joined()
    }
}
