import AppleIdentity

/// Accounts as lines of text.
enum UserText {
    static let header = ["ID", "NAME", "E-MAIL", "APPLE", "CREATED"]

    static func row(_ user: JSONObject) -> [String] {
        [text(user, "id"), text(user, "name"), text(user, "email"), apple(user)]
            + [text(user, "createdAt")]
    }

    /// What a person is asked about.
    static func title(_ user: JSONObject) -> String {
        let names = [text(user, "name"), text(user, "email")].filter { $0 != missing }
        return TerminalText.line((names + ["account \(text(user, "id"))"]).joined(separator: ", "))
    }

    /// Whether a deleted person is told by mail.
    static func lastMail(_ outcome: String?) -> String {
        switch outcome {
        case "queued": "a last mail to the person waits to be sent"
        case "noAddress": "no mail is sent: the account has no address that mail may go to"
        default:
            "no mail is sent: SIWA_SMTP_URL, SIWA_MAIL_FROM or SIWA_SEALING_KEYS, which seals it, is missing"
        }
    }

    static func lines(_ user: JSONObject) -> [String] {
        let link = user["apple"]?.objectValue
        let sessions = sessions(user)
        let facts: [(String, String)] = [
            ("id", text(user, "id")), ("name", text(user, "name")),
            ("user name", text(user, "username")), ("e-mail", email(user)),
            ("created", text(user, "createdAt")),
            ("Apple", apple(user) + (user["appleLinkRemains"] == true ? remains : "")),
            ("Apple's id", link.map { text($0, "user") } ?? missing),
            ("Apple client", link.map { text($0, "clientId") } ?? missing),
            ("sessions", "\(sessions.count)"),
            ("last use", sessions.first.map { text($0, "lastUsedAt") } ?? missing),
        ]
        return facts.map { name, value in
            name + String(repeating: " ", count: 14 - name.count) + TerminalText.line(value)
        }
    }

    static func sessionTable(_ user: JSONObject) -> [String] {
        TerminalText.table(
            ["ID", "DEVICE", "SIGNED IN", "LAST USED", "ENDS"],
            sessions(user)
                .map { session in
                    ["id", "device", "signedInAt", "lastUsedAt", "expiresAt"]
                        .map { text(session, $0) }
                }
        )
    }

    private static let missing = "-"
    private static let remains = ", and a deletion cannot end that at Apple"

    private static func sessions(_ user: JSONObject) -> [JSONObject] {
        user["sessions"]?.arrayValue?.compactMap(\.objectValue) ?? []
    }

    private static func text(_ object: JSONObject, _ name: String) -> String {
        object[name]?.stringValue ?? missing
    }

    private static func email(_ user: JSONObject) -> String {
        let notes = [
            user["emailIsVerified"] == true ? nil : "not verified",
            user["emailIsPrivateRelay"] == true ? "private relay" : nil,
        ]
        let words = notes.compactMap(\.self).joined(separator: ", ")
        let address = text(user, "email")
        return address == missing || words.isEmpty ? address : "\(address) (\(words))"
    }

    private static func apple(_ user: JSONObject) -> String {
        guard let link = user["apple"]?.objectValue else { return missing }
        let revokedAt = link["revokedAt"]?.stringValue
        return revokedAt.map { "stopped \($0)" } ?? "linked"
    }
}
