import AppleIdentity
import Foundation

/// Decides by a parameter's name how much of its value is shown.
enum FlowRedaction {
    static let maximumShownCharacterCount = 1_024
    /// The number of shown characters of a secret, enough to distinguish two.
    static let secretCharacterCount = 6
    /// The replacement for a value that is never shown.
    static let hidden = "(never shown)"

    /// The parameters that are not secret, in display order.
    private static let plainNames = [
        "grant_type", "client_id", "response_type", "response_mode", "redirect_uri", "scope",
        "state", "nonce", "code_challenge", "code_challenge_method", "token_type_hint", "action",
        "email", "given_name", "family_name", "email_choice", "shared_email", "user", "error",
        "error_description", "token_type", "expires_in",
    ]

    static func fields(in text: Data, path: String) -> [FlowField] {
        guard let form = try? FormFields(parsing: text) else { return [] }
        return form.names
            .sorted { (rank($0), $0) < (rank($1), $1) }
            .map { field($0, form.sent($0) ?? "", path: path) }
    }

    static func fields(of object: JSONObject, path: String) -> [FlowField] {
        object.members.map { field($0.name, $0.value.plainText, path: path) }
    }

    static func fields(of object: JSONObject, secrets: Set<String>) -> [FlowField] {
        object.members.map { member in
            let text = member.value.plainText
            let isSecret = secrets.contains(member.name)
            return FlowField(name: member.name, value: isSecret ? shortened(text) : plain(text))
        }
    }

    static func field(_ name: String, _ value: String, path: String) -> FlowField {
        FlowField(name: plain(name), value: shown(value, of: name, path: path))
    }

    /// A string without JWTs and Apple tokens, cut to a readable length.
    static func plain(_ text: String) -> String {
        // Redaction comes first: half a token after the cut would not be recognized.
        let redacted = Redaction.redacted(text)
        let start = redacted.prefix(maximumShownCharacterCount)
        return start.endIndex == redacted.endIndex ? redacted : start + "…"
    }

    /// The beginning of a secret, shorter for a short one.
    static func shortened(_ secret: String) -> String {
        secret.prefix(min(secretCharacterCount, secret.count / 3)) + "…"
    }

    private static func shown(_ value: String, of name: String, path: String) -> String {
        // The verification code of the sheet has the name of an authorization code.
        let isDigits = name == "code" && path == SheetPage.path
        guard name != "password", !isDigits else { return hidden }
        return plainNames.contains(name) ? plain(value) : shortened(value)
    }

    private static func rank(_ name: String) -> Int {
        plainNames.firstIndex(of: name) ?? plainNames.count
    }
}
