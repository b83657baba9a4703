import AppleIdentity
import OpenAPIDescription

struct SwitchField: Sendable {
    enum Scope: Sendable {
        /// In the seed, on the control port, and in a single request.
        case everywhere
        /// Not in a single request.
        case lasting
    }

    typealias Path<Value> = SchemaField<EmulatorSwitches>.Path<Value>

    let name: String
    /// Its effect, in Markdown.
    let about: String
    let values: String
    /// The possible values, if there are few.
    var choices: [String] = []
    var scope = Scope.everywhere
    let field: SchemaField<EmulatorSwitches>

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
    where Value: RawRepresentable<String> & CaseIterable & Sendable {
        let words = Value.allCases.map(\.rawValue)
        return SwitchField(
            name: name,
            about: about,
            values: words.joined(separator: ", "),
            choices: words,
            field: .usual(name, path, .looseChoice)
        )
    }

    static func integer(
        _ name: String,
        _ path: any Path<Int>,
        in range: ClosedRange<Int>,
        scope: Scope = .everywhere,
        _ about: String
    ) -> SwitchField {
        SwitchField(
            name: name,
            about: about,
            values: "\(range.lowerBound) to \(range.upperBound)",
            scope: scope,
            field: .usual(name, path, .integer(in: range))
        )
    }

    static func boolean(_ name: String, _ path: any Path<Bool>, _ about: String) -> SwitchField {
        let words = ["true", "false"]
        let field = SchemaField.usual(name, path, .boolean)
        return SwitchField(
            name: name,
            about: about,
            values: words.joined(separator: ", "),
            choices: words,
            field: field
        )
    }

    static func text(_ name: String, _ path: any Path<String>, _ about: String) -> SwitchField {
        SwitchField(name: name, about: about, values: "a string", field: .usual(name, path, .text))
    }
}

extension ValueForm where Value: RawRepresentable<String> & CaseIterable & Sendable {
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
