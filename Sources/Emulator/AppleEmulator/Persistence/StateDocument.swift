import AppleIdentity
import Foundation

/// The complete state of an emulator as a JSON document.
///
/// It begins with `format` and `version`. docs/reference/emulator.md describes its fields; a change
/// that older versions would misread needs a new version number.
struct StateDocument: Sendable {
    static let format = "siwa-emulator"
    static let version = 1
    static let maximumByteCount = 512 * 1024 * 1024

    private static let limits = JSONLimits(maximumByteCount: maximumByteCount, maximumDepth: 32)

    private(set) var object: JSONObject

    init() { object = ["format": .string(Self.format), "version": .integer(Self.version)] }

    init(parsing data: Data) throws(SeedError) {
        guard let object = try Self.value(data).objectValue,
            object["format"]?.stringValue == Self.format
        else {
            throw SeedError(
                line: nil,
                reason: "it is not an emulator state: format is not \"\(Self.format)\""
            )
        }
        guard object["version"] == .integer(Self.version) else {
            let version = object["version"]?.text.prefix(16) ?? "missing"
            throw SeedError(
                line: nil,
                reason: "its version is \(version), this program supports version \(Self.version)"
            )
        }
        self.object = object
    }

    private static func value(_ data: Data) throws(SeedError) -> JSONValue {
        do {
            return try JSONValue(parsing: data, limits: limits)
        } catch {
            throw SeedError(line: error.line, reason: error.words)
        }
    }

    subscript(section: String) -> JSONValue? {
        get { object[section] }
        set { object[section] = newValue }
    }

    /// The JSON text, with a line for each section and for each entry of a list.
    var data: Data {
        var text = "{"
        for (index, member) in object.members.enumerated() {
            text += (index > 0 ? ",\n" : "\n") + "\"\(member.name)\": "
            guard case .array(let values) = member.value, !values.isEmpty else {
                text += member.value.text
                continue
            }
            for (index, value) in values.enumerated() {
                text += (index > 0 ? ",\n  " : "[\n  ") + value.text
            }
            text += "\n]"
        }
        return Data((text + "\n}\n").utf8)
    }
}

extension StateDocument {
    /// The sections of earlier versions, which are ignored.
    private static let formerNames = ["chaos"]

    func checkNames() throws(ControlRefusal) {
        let names = StateSection.all.map(\.name)
        _ = try FieldReader(object, known: ["format", "version"] + names + Self.formerNames)
    }

    func value(of section: StateSection) -> JSONValue? {
        let value = object[section.name]
        return value == .null ? nil : value
    }
}

extension EmulatorState {
    /// The exported state, without the request log and open sheets.
    func document(without names: Set<String>) -> StateDocument {
        var document = StateDocument()
        for section in StateSection.all where !names.contains(section.name) {
            document[section.name] = section.write(self)
        }
        return document
    }

    /// The state of a document, with this emulator's configuration and seed.
    func restored(from document: StateDocument) throws(ControlRefusal) -> EmulatorState {
        try document.checkNames()
        // A reset of the switches restores this emulator's own, not those of the document's seed.
        var seed = Seed()
        seed.switches = seededSwitches.object
        var state = try EmulatorState(
            seed: seed,
            configuration: configuration,
            signingKeys: SigningKeyRing([]),
            time: clock.source
        )
        for section in StateSection.all {
            guard let value = document.value(of: section) else { continue }
            do { try section.read(value, &state) } catch { throw ControlRefusal(error) }
        }
        guard !state.signingKeys.current.isEmpty else {
            throw .wrong("signing_keys", "has no current key")
        }
        return state
    }
}
