import AppleIdentity

/// One switch: its name, what it changes, how its value is read, and how it is written.
struct SwitchField: Sendable {
    /// Where a switch can be set.
    enum Scope: Sendable {
        /// In the seed, on the control port, and for a request alone.
        case everywhere
        /// Not for a request alone.
        case lasting
    }

    typealias Path<Value> = WritableKeyPath<EmulatorSwitches, Value> & Sendable

    let name: String
    /// What it changes, in Markdown.
    let about: String
    /// What it was called before; seeds, states and control bodies may still say so.
    var formerName: String?
    /// What can be given, in words.
    let values: String
    /// The values themselves, where there are few.
    var choices: [String] = []
    /// The smallest and the largest, where they are numbers.
    var range: ClosedRange<Int>?
    var scope = Scope.everywhere
    let read: @Sendable (FieldReader, inout EmulatorSwitches) throws(ControlRefusal) -> Void
    let value: @Sendable (EmulatorSwitches) -> JSONValue

    static func choice<Value>(
        _ name: String,
        _ path: any Path<Value>,
        formerName: String? = nil,
        _ about: String
    ) -> SwitchField
    where Value: RawRepresentable<String> & CaseIterable & Sendable {
        let words = Value.allCases.map(\.rawValue).joined(separator: ", ")
        return SwitchField(
            name: name,
            about: about,
            formerName: formerName,
            values: words,
            choices: Value.allCases.map(\.rawValue),
            read: { fields, switches throws(ControlRefusal) in
                guard let given = fields.value(name) else { return }
                // A status may be written as a number.
                let text = given.stringValue ?? given.integerValue.map(String.init)
                guard let value = text.flatMap(Value.init(rawValue:)) else {
                    throw .wrong(name, "must be one of \(words)")
                }
                switches[keyPath: path] = value
            },
            value: { .string($0[keyPath: path].rawValue) }
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
            range: range,
            scope: scope,
            read: { fields, switches throws(ControlRefusal) in
                guard let value = try fields.optionalInteger(name, in: range) else { return }
                switches[keyPath: path] = value
            },
            value: { .integer($0[keyPath: path]) }
        )
    }

    static func boolean(
        _ name: String,
        _ path: any Path<Bool>,
        _ about: String
    ) -> SwitchField {
        SwitchField(
            name: name,
            about: about,
            values: "true, false",
            choices: ["true", "false"],
            read: { fields, switches throws(ControlRefusal) in
                switches[keyPath: path] =
                    try fields.boolean(name, default: switches[keyPath: path])
            },
            value: { .boolean($0[keyPath: path]) }
        )
    }

    static func text(
        _ name: String,
        _ path: any Path<String>,
        _ about: String
    ) -> SwitchField {
        SwitchField(
            name: name,
            about: about,
            values: "a text",
            read: { fields, switches throws(ControlRefusal) in
                guard let value = try fields.optionalText(name) else { return }
                switches[keyPath: path] = value
            },
            value: { .string($0[keyPath: path]) }
        )
    }
}
