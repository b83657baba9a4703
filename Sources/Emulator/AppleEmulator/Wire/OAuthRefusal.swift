import AppleIdentity
import HTTPTypes

/// Apple's error response, with a reason and a hint that Apple does not give.
package struct OAuthRefusal: Error, Hashable {
    let code: OAuthErrorResponse.Code
    /// Apple's description, which is often missing.
    private(set) var text: String?
    /// The problem with a form of the emulator's own pages.
    let problem: PageProblem?
    /// The cause, for the request log and for pages.
    package let reason: String
    private(set) var hint: String?
    /// The client or redirect URI that the error page offers to register.
    private(set) var missing: MissingRegistration?
    var status: HTTPResponse.Status
    /// The value of `Retry-After`, in seconds; nil for none.
    var retryAfterSeconds: Int?

    init(
        _ code: OAuthErrorResponse.Code,
        text: String? = nil,
        problem: PageProblem? = nil,
        reason: String,
        status: HTTPResponse.Status = .badRequest
    ) {
        (self.code, self.text, self.problem) = (code, text, problem)
        (self.reason, self.status) = (reason, status)
    }

    static func invalidRequest(_ reason: String) -> OAuthRefusal {
        OAuthRefusal(.invalidRequest, reason: reason)
    }

    static func invalidGrant(_ reason: String, text: String? = nil) -> OAuthRefusal {
        OAuthRefusal(.invalidGrant, text: text, reason: reason)
    }

    static func account(
        _ problem: PageProblem,
        _ reason: String,
        status: HTTPResponse.Status = .badRequest
    ) -> OAuthRefusal {
        OAuthRefusal(.account, problem: problem, reason: reason, status: status)
    }

    func hint(_ words: String?) -> OAuthRefusal {
        var refusal = self
        refusal.hint = words
        return refusal
    }

    func offering(_ missing: MissingRegistration) -> OAuthRefusal {
        var refusal = self
        refusal.missing = missing
        return refusal
    }

    /// The same refusal, without Apple's description if the switches disable it.
    func described(_ switches: EmulatorSwitches) -> OAuthRefusal {
        guard !switches.describesErrors else { return self }
        var refusal = self
        refusal.text = nil
        return refusal
    }

    /// The body: `error`, and `error_description` if Apple gives one.
    var object: JSONObject {
        var object: JSONObject = ["error": .string(code.rawValue)]
        object["error_description"] = text.map { .string($0) }
        return object
    }
}

extension OAuthErrorResponse.Code {
    /// The code of an account page refusal in the request log.
    static let account = Self(rawValue: "account")
    static let invalidSwitches = Self(rawValue: "invalid_switches")
    static let methodNotAllowed = Self(rawValue: "method_not_allowed")
    static let notFound = Self(rawValue: "not_found")
    static let serverError = Self(rawValue: "server_error")
    static let temporarilyUnavailable = Self(rawValue: "temporarily_unavailable")
}
