import AppleIdentity
import Foundation

/// Decides by a parameter's name how much of its value may be shown.
enum FlowRedaction {
    /// How much of a text is shown, in characters.
    static let maximumShownCharacterCount = 1_024
    /// How much of a secret is shown, in characters, so that two can be told apart.
    static let secretCharacterCount = 6
    /// What stands in place of a value of which nothing is shown.
    static let hidden = "(never shown)"

    /// The parameters that are no secret, in the order they are shown.
    private static let plainNames = [
        "grant_type", "client_id", "response_type", "response_mode", "redirect_uri", "scope",
        "state", "nonce", "code_challenge", "code_challenge_method", "token_type_hint", "action",
        "email", "given_name", "family_name", "email_choice", "shared_email", "user", "error",
        "error_description", "token_type", "expires_in",
    ]

    /// The parameters of a form as they may be shown; none when it can't be read.
    static func fields(in text: Data, path: String) -> [FlowField] {
        guard let form = try? FormFields(parsing: text) else { return [] }
        return form.names
            .sorted { (rank($0), $0) < (rank($1), $1) }
            .map { field($0, form.sent($0) ?? "", path: path) }
    }

    /// The members of an answer as they may be shown.
    static func fields(of object: JSONObject, path: String) -> [FlowField] {
        object.members.map { field($0.name, $0.value.stringValue ?? $0.value.text, path: path) }
    }

    /// The members of an object in which only some are secret.
    static func fields(of object: JSONObject, secrets: Set<String>) -> [FlowField] {
        object.members.map { member in
            let text = member.value.stringValue ?? member.value.text
            let isSecret = secrets.contains(member.name)
            return FlowField(name: member.name, value: isSecret ? shortened(text) : plain(text))
        }
    }

    /// A parameter as it may be shown.
    static func field(_ name: String, _ value: String, path: String) -> FlowField {
        FlowField(name: plain(name), value: shown(value, of: name, path: path))
    }

    /// A text without anything shaped like a token, and not longer than can be read.
    static func plain(_ text: String) -> String {
        // What is cut away must not begin with half a token that no longer looks like one.
        let redacted = Redaction.redacted(text)
        let start = redacted.prefix(maximumShownCharacterCount)
        return start.endIndex == redacted.endIndex ? redacted : start + "…"
    }

    /// The beginning of a secret; less of one that is short.
    static func shortened(_ secret: String) -> String {
        secret.prefix(min(secretCharacterCount, secret.count / 3)) + "…"
    }

    private static func shown(_ value: String, of name: String, path: String) -> String {
        // The six digits of the sheet have the name of an authorization code.
        let isDigits = name == "code" && path == SheetPage.path
        guard name != "password", !isDigits else { return hidden }
        return plainNames.contains(name) ? plain(value) : shortened(value)
    }

    private static func rank(_ name: String) -> Int {
        plainNames.firstIndex(of: name) ?? plainNames.count
    }
}
