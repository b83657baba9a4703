import AppleIdentity

/// Entries of the audit log as lines of text.
enum AuditText {
    static let header = [
        "AT", "ACTION", "ACTOR", "ACCOUNT", "ADDRESS", "CLIENT", "DETAIL", "NUMBER",
    ]

    static func row(_ entry: JSONObject) -> [String] {
        let number = entry["number"]?.integerValue.map { "\($0)" } ?? "waiting"
        let proof = entry["proof"]?.stringValue ?? "signed"
        return [text(entry, "at"), text(entry, "action"), actor(entry)]
            + ["account", "address", "client", "detail"].map { text(entry, $0) }
            + [proof == "signed" ? number : "\(number) (\(proof))"]
    }

    private static func actor(_ entry: JSONObject) -> String {
        let administrator = entry["administrator"]?.stringValue
        return text(entry, "actor") + (administrator.map { " \($0)" } ?? "")
    }

    private static func text(_ entry: JSONObject, _ name: String) -> String {
        entry[name]?.stringValue ?? "-"
    }
}

/// What checking the audit log has come to.
struct AuditResult {
    private(set) var checkedCount = 0
    private(set) var findings: [JSONObject] = []
    private var unsignedCount = 0
    private var last: JSONObject = [:]

    mutating func add(_ step: JSONObject) {
        checkedCount += step["checked"]?.integerValue ?? 0
        unsignedCount += step["unsigned"]?.integerValue ?? 0
        // What vouches for the chain is looked at in each step.
        for finding in step["findings"]?.arrayValue?.compactMap(\.objectValue) ?? []
        where !findings.contains(finding) {
            findings.append(finding)
        }
        last = step
    }

    var document: JSONObject {
        var document = last
        document["next"] = nil
        document["checked"] = .integer(checkedCount)
        document["unsigned"] = .integer(unsignedCount)
        document["findings"] = .array(findings.map { .object($0) })
        return document
    }

    var lines: [String] {
        let facts = [
            ("entries", "\(checkedCount)"), ("unsigned", "\(unsignedCount)"),
            ("waiting", last["waiting"]?.integerValue.map { "\($0)" } ?? "-"),
            ("begun", last["startedAt"]?.stringValue ?? "-"),
            ("sealed", last["sealedAt"]?.stringValue ?? "-"),
            ("kept from", last["checkpoint"]?.stringValue ?? "-"),
            ("head", last["head"]?.stringValue ?? "-"),
        ]
        return facts.map { name, value in
            name + String(repeating: " ", count: 14 - name.count) + TerminalText.line(value)
        } + findings.map(Self.line)
    }

    private static func line(_ finding: JSONObject) -> String {
        let code = finding["code"]?.stringValue ?? "unknown"
        let place = finding["number"]?.integerValue.map { " at entry \($0)" } ?? ""
        return TerminalText.line("ALTERED       \(code)\(place)")
    }
}
