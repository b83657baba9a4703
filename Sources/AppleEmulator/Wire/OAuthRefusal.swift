import AppleIdentity
import HTTPTypes

/// A refusal as Apple words it, and what Apple would keep to itself: the reason and a likely fix.
struct OAuthRefusal: Error, Hashable {
    let code: OAuthErrorResponse.Code
    /// Apple's own words; Apple often gives none.
    private(set) var text: String?
    /// What is wrong with a form of the emulator's own pages.
    let problem: PageProblem?
    /// The cause in words, for the request log and for pages.
    let reason: String
    /// What probably fixes it.
    private(set) var hint: String?
    var status: HTTPResponse.Status
    /// When to try again, in seconds; nil when that is not told.
    var retryAfterSeconds: Int?

    init(
        _ code: OAuthErrorResponse.Code,
        text: String? = nil,
        problem: PageProblem? = nil,
        reason: String,
        status: HTTPResponse.Status = .badRequest
    ) {
        self.code = code
        self.text = text
        self.problem = problem
        self.reason = reason
        self.status = status
    }

    static func invalidRequest(_ reason: String) -> OAuthRefusal {
        OAuthRefusal(.invalidRequest, reason: reason)
    }

    static func invalidGrant(_ reason: String, text: String? = nil) -> OAuthRefusal {
        OAuthRefusal(.invalidGrant, text: text, reason: reason)
    }

    /// A refusal of a form of the account page.
    static func account(
        _ problem: PageProblem,
        _ reason: String,
        status: HTTPResponse.Status = .badRequest
    ) -> OAuthRefusal {
        OAuthRefusal(.account, problem: problem, reason: reason, status: status)
    }

    /// The same refusal with what probably fixes it.
    func hint(_ words: String?) -> OAuthRefusal {
        var refusal = self
        refusal.hint = words
        return refusal
    }

    /// The same as the switches have it: without Apple's words where none are given.
    func described(_ switches: EmulatorSwitches) -> OAuthRefusal {
        guard !switches.describesErrors else { return self }
        var refusal = self
        refusal.text = nil
        return refusal
    }

    /// The body: `error`, and `error_description` when Apple gives one.
    var object: JSONObject {
        var object: JSONObject = ["error": .string(code.rawValue)]
        object["error_description"] = text.map { .string($0) }
        return object
    }
}

extension OAuthErrorResponse.Code {
    /// What the request log calls a refusal of the account page.
    static let account = Self(rawValue: "account")
    static let invalidSwitches = Self(rawValue: "invalid_switches")
    static let methodNotAllowed = Self(rawValue: "method_not_allowed")
    static let notFound = Self(rawValue: "not_found")
    static let serverError = Self(rawValue: "server_error")
    static let temporarilyUnavailable = Self(rawValue: "temporarily_unavailable")
}
