import AppleIdentity
import HTTPTypes

/// A refusal as Apple words it, and what Apple would keep to itself: the reason and a likely mend.
struct OAuthRefusal: Error, Hashable {
    let code: OAuthErrorResponse.Code
    /// Apple's own words; Apple often gives none.
    let text: String?
    /// The cause in words, for the request log and for pages.
    let reason: String
    /// What probably mends it.
    let hint: String?

    init(
        _ code: OAuthErrorResponse.Code,
        text: String? = nil,
        reason: String,
        hint: String? = nil
    ) {
        self.code = code
        self.text = text
        self.reason = reason
        self.hint = hint
    }

    /// The body: `error`, and `error_description` when Apple gives one.
    var object: JSONObject {
        var object: JSONObject = ["error": .string(code.rawValue)]
        object["error_description"] = text.map { .string($0) }
        return object
    }
}
