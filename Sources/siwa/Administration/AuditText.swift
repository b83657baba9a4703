import AppleIdentity

/// Entries of the audit log as lines of text.
enum AuditText {
    static let header = ["AT", "ACTION", "ACTOR", "ACCOUNT", "ADDRESS", "CLIENT", "DETAIL"]

    static func entries(_ answer: JSONObject) -> [JSONObject] {
        answer["entries"]?.arrayValue?.compactMap(\.objectValue) ?? []
    }

    static func row(_ entry: JSONObject) -> [String] {
        [text(entry, "at"), text(entry, "action"), actor(entry)]
            + ["account", "address", "client", "detail"].map { text(entry, $0) }
    }

    private static func actor(_ entry: JSONObject) -> String {
        let administrator = entry["administrator"]?.stringValue
        return text(entry, "actor") + (administrator.map { " \($0)" } ?? "")
    }

    private static func text(_ entry: JSONObject, _ name: String) -> String {
        entry[name]?.stringValue ?? "-"
    }
}
