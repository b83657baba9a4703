/// A setting of `siwa serve`: an environment variable, or a key in the file of `--config`.
///
/// ``all`` is the only list of settings. The reader, the file, `siwa serve --help`, `siwa doctor`, the demo and
/// docs/reference/settings.md use it.
package struct Setting: Sendable {
    typealias Change = @Sendable (inout AccountsServerConfiguration) -> Void
    typealias Apply<Value> = @Sendable (inout AccountsServerConfiguration, Value) -> Void

    package let name: String
    /// Whether it is required, or its default.
    let need: String
    /// The meaning, in Markdown.
    let text: String
    /// Whether its value must never be printed, and can be in the file that `NAME_FILE` names.
    package private(set) var isSecret = false
    /// Whether the demo takes it from its environment, because it only adds a feature.
    package private(set) var isInDemo = false
    /// Reads the value, and returns how it changes the configuration.
    let read: @Sendable (ConfigurationValues) throws(ConfigurationError) -> Change

    /// The same setting as a secret.
    var secret: Setting {
        var copy = self
        copy.isSecret = true
        return copy
    }

    /// The same setting, also of the demo.
    var inDemo: Setting {
        var copy = self
        copy.isInDemo = true
        return copy
    }
}

/// The types of settings.
extension Setting {
    /// A setting that `AccountsServerConfiguration.init(reader:)` reads together with others.
    static func shared(_ name: String, _ need: String, _ text: String) -> Setting {
        Setting(name: name, need: need, text: text) { _ in { _ in } }
    }

    /// A setting of any form; its reader decides what a missing value means.
    static func value<Value: Sendable>(
        _ name: String,
        need: String = "optional",
        _ text: String,
        _ read: @escaping @Sendable (ConfigurationValues) throws(ConfigurationError) -> Value,
        apply: @escaping Apply<Value>
    ) -> Setting {
        @Sendable func change(_ values: ConfigurationValues) throws(ConfigurationError) -> Change {
            let value = try read(values)
            return { apply(&$0, value) }
        }
        return Setting(name: name, need: need, text: text, read: change)
    }

    /// A text to parse; a missing one changes nothing.
    static func text<Value: Sendable>(
        _ name: String,
        need: String = "optional",
        _ text: String,
        _ parse: @escaping @Sendable (String) throws(ConfigurationError) -> Value,
        apply: @escaping Apply<Value>
    ) -> Setting {
        @Sendable func change(_ values: ConfigurationValues) throws(ConfigurationError) -> Change {
            guard let text = values.optional(name) else { return { _ in } }
            let value = try parse(text)
            return { apply(&$0, value) }
        }
        return Setting(name: name, need: need, text: text, read: change)
    }

    /// A list with commas; a missing one has no entries.
    static func list<Value: Sendable>(
        _ name: String,
        need: String = "default none",
        _ text: String,
        _ parse: @escaping @Sendable ([String]) throws(ConfigurationError) -> Value,
        apply: @escaping Apply<Value>
    ) -> Setting {
        @Sendable func read(_ values: ConfigurationValues) throws(ConfigurationError) -> Value {
            try parse(values.list(name))
        }
        return value(name, need: need, text, read, apply: apply)
    }

    static func boolean(_ name: String, _ text: String, apply: @escaping Apply<Bool>) -> Setting {
        @Sendable func read(_ values: ConfigurationValues) throws(ConfigurationError) -> Bool {
            try values.boolean(name)
        }
        return value(name, need: "default `false`", "`true`: \(text)", read, apply: apply)
    }

    static func number(
        _ name: String,
        _ range: ClosedRange<Int>,
        default standard: Int,
        _ text: String,
        apply: @escaping Apply<Int>
    ) -> Setting {
        @Sendable func read(_ values: ConfigurationValues) throws(ConfigurationError) -> Int {
            try values.number(name, in: range) ?? standard
        }
        let text = "\(range.lowerBound) to \(range.upperBound): \(text)"
        return value(name, need: "default `\(standard)`", text, read, apply: apply)
    }

    static func choice<Choice: RawRepresentable<String> & CaseIterable & Sendable>(
        _ name: String,
        default standard: Choice,
        _ text: String,
        apply: @escaping Apply<Choice>
    ) -> Setting {
        let choices = Array(Choice.allCases)
        @Sendable func read(_ values: ConfigurationValues) throws(ConfigurationError) -> Choice {
            try values.choice(name, of: Array(Choice.allCases)) ?? standard
        }
        let words = choices.map { "`\($0.rawValue)`" }.joined(separator: ", ")
        let need = "default `\(standard.rawValue)`"
        return value(name, need: need, "\(words): \(text)", read, apply: apply)
    }
}

extension Setting {
    /// The names of all settings, which distinguish a misspelt setting from one of another program.
    package static let names = Set(all.map(\.name))
        .union(secretNames.map { $0 + ConfigurationValues.fileSuffix })
    /// The settings whose values must never be printed.
    package static let secretNames = Set(all.filter(\.isSecret).map(\.name))

    /// The table of docs/reference/settings.md.
    package static var markdown: String {
        let rows = all.map { setting in
            let text = setting.text + (setting.isSecret ? ". A [secret](#secrets-in-files)" : "")
            return "| `\(setting.name)` | \(setting.need) | \(text) |\n"
        }
        return "| name | required or default | meaning |\n|---|---|---|\n" + rows.joined()
    }

    /// The settings for `siwa serve --help`, without Markdown.
    package static var help: String {
        all.map { "\($0.name): \($0.need)\n  \($0.text)" }.joined(separator: "\n")
            .replacing(/\[([^\]]+)\]\([^)]+\)/) { $0.1 }
            .replacing("`", with: "")
    }
}
