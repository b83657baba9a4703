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

    /// The sections after `format` and `version`, in their order.
    static let sections = [
        "clock", "signing_keys", "teams", "apps", "services", "keys", "mail_sources",
        "last_person_id", "organizations", "people", "identities", "consents", "former_consents",
        "codes", "access_tokens", "refresh_tokens", "refreshes", "transfer_identifier_key",
        "transfers", "transfer_subjects", "migration_tokens", "browser_sessions",
        "authorizations_next", "switches", "chaos", "faults", "notification_settings",
        "last_notification_number", "notifications", "last_mail_number", "mail", "sent_mail",
        "mail_bounces", "mail_aliases", "mail_counts",
    ]

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
        let object = try Self.object(data)
        guard object["format"]?.stringValue == Self.format
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

    private static func object(_ data: Data) throws(SeedError) -> JSONObject {
        do {
            return try JSONObject(parsing: data, limits: limits)
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
    /// Reads the sections together, so that one that is not known is refused.
    func fields() throws(ControlRefusal) -> FieldReader {
        try FieldReader(object, known: ["format", "version"] + Self.sections)
    }

    /// Reads every entry of a list; what is wrong says in which.
    func each(
        _ section: String,
        _ read: (JSONObject) throws(ControlRefusal) -> Void
    ) throws(ControlRefusal) {
        guard let value = object[section], value != .null else { return }
        guard let values = value.arrayValue else {
            throw .wrong(section, "must be a list of objects")
        }
        for (index, value) in values.enumerated() {
            guard let entry = value.objectValue else {
                throw .wrong("\(section)[\(index)]", "must be an object")
            }
            do throws(ControlRefusal) {
                try read(entry)
            } catch {
                throw error.within("\(section)[\(index)]")
            }
        }
    }
}

extension ControlRefusal {
    /// The same refusal, of a part of something larger.
    func within(_ place: String) -> ControlRefusal {
        ControlRefusal(
            kind: kind,
            field: place + (field.map { "." + $0 } ?? ""),
            message: "in \(place): \(message)"
        )
    }
}
