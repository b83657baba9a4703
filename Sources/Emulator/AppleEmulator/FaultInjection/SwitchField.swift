import AppleIdentity
import OpenAPIDescription

struct SwitchField: Sendable {
    enum Scope: Sendable {
        /// In the seed, on the control port, and in a single request.
        case everywhere
        /// Not in a single request.
        case lasting
    }

    /// A value as in JSON, and its label for people.
    typealias Option = (value: String, label: String)
    typealias Path<Value> = SchemaField<EmulatorSwitches>.Path<Value>

    let name: String
    /// Its effect, in Markdown.
    let about: String
    let values: String
    /// The possible values with their labels, if there are few.
    let options: [Option]
    let scope: Scope
    let field: SchemaField<EmulatorSwitches>

    private init(
        _ name: String,
        _ about: String,
        options: [Option] = [],
        values: String? = nil,
        scope: Scope = .everywhere,
        _ field: SchemaField<EmulatorSwitches>
    ) {
        (self.name, self.about, self.options, self.scope) = (name, about, options, scope)
        self.values = values ?? options.map(\.value).joined(separator: ", ")
        self.field = field
    }

    /// The possible values, if there are few.
    var choices: [String] { options.map(\.value) }

    func value(_ switches: EmulatorSwitches) -> JSONValue {
        var members: [JSONObject.Member] = []
        field.write(switches, &members)
        return members.first?.value ?? .null
    }

    static func choice<Value>(
        _ name: String,
        _ path: any Path<Value>,
        _ about: String
    ) -> SwitchField
    where Value: SwitchChoice {
        let options = Value.allCases.map { (value: $0.rawValue, label: $0.label) }
        return SwitchField(name, about, options: options, .usual(name, path, .looseChoice))
    }

    static func integer(
        _ name: String,
        _ path: any Path<Int>,
        in range: ClosedRange<Int>,
        scope: Scope = .everywhere,
        _ about: String
    ) -> SwitchField {
        let values = "\(range.lowerBound) to \(range.upperBound)"
        let field = SchemaField.usual(name, path, .integer(in: range))
        return SwitchField(name, about, values: values, scope: scope, field)
    }

    /// A switch that is on or off.
    ///
    /// - Parameters:
    ///   - name: the name in JSON.
    ///   - path: the property.
    ///   - on: the label of true.
    ///   - off: the label of false.
    ///   - about: its effect, in Markdown.
    /// - Returns: the switch.
    static func boolean(
        _ name: String,
        _ path: any Path<Bool>,
        on: String,
        off: String,
        _ about: String
    ) -> SwitchField {
        let options = [(value: "true", label: on), (value: "false", label: off)]
        return SwitchField(name, about, options: options, .usual(name, path, .boolean))
    }

    static func text(_ name: String, _ path: any Path<String>, _ about: String) -> SwitchField {
        SwitchField(name, about, values: "a string", .usual(name, path, .text))
    }
}

extension ValueForm where Value: SwitchChoice {
    /// One of a few values; a status may be a number.
    private static var choices: JSONSchema {
        let words = Value.allCases.map(\.rawValue)
        let numbers = words.compactMap { Int($0) }.map { JSONValue.integer($0) }
        return .anything.restricted(by: ["enum": .array(words.map { .string($0) } + numbers)])
    }

    fileprivate static var looseChoice: ValueForm {
        ValueForm(
            "must be one of " + Value.allCases.map(\.rawValue).joined(separator: ", "),
            as: choices,
            { ($0.stringValue ?? $0.integerValue.map(String.init)).flatMap(Value.init(rawValue:)) },
            { .string($0.rawValue) }
        )
    }
}
