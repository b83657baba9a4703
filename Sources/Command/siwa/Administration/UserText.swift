import AppleIdentity

/// What `siwa users` prints about an account.
enum UserText {
    static let header = ["ID", "NAME", "USERNAME", "EMAIL", "APPLE", "CREATED"]

    static func row(_ user: JSONObject) -> [String] {
        ["id", "name", "username"].map(user.cell)
            + [email(user), apple(user), user.cell("createdAt")]
    }

    /// The name of an account in a question.
    static func title(_ user: JSONObject) -> String {
        let names = [user.cell("name"), user.cell("email")].filter { $0 != missing }
        return TerminalText.line((names + ["account \(user.cell("id"))"]).joined(separator: ", "))
    }

    static func lastMail(_ outcome: String?) -> String {
        switch outcome {
        case "queued": "a mail to the user about the deletion is queued"
        case "noAddress": "no mail is sent: the account has no verified email address"
        default:
            "no mail is sent: SIWA_SMTP_URL, SIWA_MAIL_FROM or SIWA_SEALING_KEYS is missing"
        }
    }

    static func lines(_ user: JSONObject) -> [String] {
        let link = user["apple"]?.objectValue
        let sessions = user.objects("sessions")
        let facts: [(String, String)] = [
            ("id", user.cell("id")), ("name", user.cell("name")),
            ("username", user.cell("username")), ("email", email(user)),
            ("created", user.cell("createdAt")),
            ("Apple", apple(user) + (user["appleLinkRemains"] == true ? remains : "")),
            ("Apple's id", link.map { $0.cell("user") } ?? missing),
            ("Apple client", link.map { $0.cell("clientId") } ?? missing),
            ("sessions", "\(sessions.count)"),
            ("last use", sessions.first.map { $0.cell("lastUsedAt") } ?? missing),
        ]
        let others = user.members.filter { !shownMembers.contains($0.name) }
            .compactMap { member in scalar(member.value).map { (member.name, $0) } }
        let width = (facts + others).map(\.0.count).max().map { $0 + 2 } ?? 0
        return (facts + others).map { name, value in
            name + String(repeating: " ", count: width - name.count) + TerminalText.line(value)
        }
    }

    /// The members that a line of its own shows; other members have a line with their name.
    private static let shownMembers: Set = [
        "id", "name", "givenName", "familyName", "username", "email", "emailIsVerified",
        "emailIsPrivateRelay", "createdAt", "apple", "appleLinkRemains", "sessions",
    ]

    private static func scalar(_ value: JSONValue) -> String? {
        value.stringValue ?? value.integerValue.map(String.init)
            ?? value.booleanValue.map { $0 ? "yes" : "no" }
    }

    static let sessionHeader = ["ID", "DEVICE", "SIGNED IN", "LAST USED", "ENDS"]

    static func sessionRows(_ user: JSONObject) -> [[String]] {
        let names = ["id", "device", "signedInAt", "lastUsedAt", "expiresAt"]
        return user.objects("sessions").map { names.map($0.cell) }
    }

    private static let missing = JSONObject.missingCell
    private static let remains = ", and deleting the account cannot remove that link at Apple"

    private static func email(_ user: JSONObject) -> String {
        let notes = [
            user["emailIsVerified"] == true ? nil : "not verified",
            user["emailIsPrivateRelay"] == true ? "private relay" : nil,
        ]
        let words = notes.compactMap(\.self).joined(separator: ", ")
        let address = user.cell("email")
        return address == missing || words.isEmpty ? address : "\(address) (\(words))"
    }

    private static func apple(_ user: JSONObject) -> String {
        guard let link = user["apple"]?.objectValue else { return missing }
        let revokedAt = link["revokedAt"]?.stringValue
        return revokedAt.map { "stopped \($0)" } ?? "linked"
    }
}
