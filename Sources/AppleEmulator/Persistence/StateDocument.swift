import AppleIdentity
import Foundation

/// The whole state of an emulator as a JSON document with named fields.
///
/// It begins with `format` and `version`; what stands there already is described in
/// docs/emulator.md, and a change that older versions would misread takes another version.
struct StateDocument: Sendable {
    static let format = "siwa-emulator"
    static let version = 1
    /// The longest document that is read, in bytes.
    static let maximumByteCount = 512 * 1024 * 1024

    private static let limits = JSONLimits(maximumByteCount: maximumByteCount, maximumDepth: 32)

    private(set) var object: JSONObject

    /// A document that says nothing yet.
    init() {
        object = ["format": .string(Self.format), "version": .integer(Self.version)]
    }

    /// Reads a document.
    ///
    /// - Parameter data: the text.
    /// - Throws: ``SeedError`` when it is no document of this format and version.
    init(parsing data: Data) throws(SeedError) {
        guard let object = try Self.value(data).objectValue,
            object["format"]?.stringValue == Self.format
        else {
            throw SeedError(
                line: nil,
                reason: "it is not the state of an emulator: format is not \"\(Self.format)\""
            )
        }
        guard object["version"] == .integer(Self.version) else {
            let version = object["version"]?.text.prefix(16) ?? "missing"
            throw SeedError(
                line: nil,
                reason: "its version is \(version), and this program reads version \(Self.version)"
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

    /// The text: a line for each section, and for each entry of a list.
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
    /// Refuses a section that is not known.
    func checkNames() throws(ControlRefusal) {
        let names = StateSection.all.flatMap { [$0.name, $0.formerName].compactMap(\.self) }
        _ = try FieldReader(object, known: ["format", "version"] + names)
    }

    /// What is said of a part of the state; nil when nothing is.
    func value(of section: StateSection) -> JSONValue? {
        let value = object[section.name] ?? section.formerName.flatMap { object[$0] }
        return value == .null ? nil : value
    }
}
