import Accounts
import AppleIdentity
import HTTPTypes
import Hummingbird
import OpenAPIDescription
import SignInWithAppleHummingbird

/// What a route for programs does; the route reads its fields by it, and the OpenAPI document is made from it.
struct Operation: Sendable {
    /// Under which headings operations stand.
    enum Group: String, CaseIterable, Sendable {
        case signingIn = "Signing in"
        case sessions = "Sessions"
        case account = "Account"
        case mail = "E-mail"
        case operation = "Operation"
    }

    /// Who may ask.
    enum Access: Sendable {
        case anyone
        case session
    }

    /// A member of the body, or a part of the path.
    typealias Field = JSONSchema.Field
    /// What is answered when nothing is wrong.
    typealias Answer = DescribedOperation.Answer

    /// A word for generated clients; each only once.
    let id: String
    let group: Group
    let summary: String
    var access = Access.anyone
    var parameters: [Field] = []
    var fields: [Field] = []
    let answer: Answer
    /// What the accounts may refuse, besides what is common to all.
    var refusals: [AccountsError.Code] = []
    /// What only this route may refuse.
    var otherRefusals: [HTTPResponse.Status: [String]] = [:]
}

extension Operation {
    /// Every refusal by its status: the route's own, and what comes with a body, a session and a store.
    var refusalsByStatus: [HTTPResponse.Status: [String]] {
        var byStatus = otherRefusals
        func add(_ status: HTTPResponse.Status, _ code: String) {
            if byStatus[status]?.contains(code) != true {
                byStatus[status, default: []].append(code)
            }
        }
        for code in refusals { add(code.status, code.rawValue) }
        if access == .session {
            add(.unauthorized, "not_signed_in")
            add(.unauthorized, AccountsError.Code.sessionInvalid.rawValue)
        }
        if !fields.isEmpty {
            for code in ["json_unreadable", "content_malformed", "field_unknown"] {
                add(.badRequest, code)
            }
            add(.requestTimeout, "request_too_slow")
            add(.contentTooLarge, "content_too_large")
            add(.unsupportedMediaType, "content_type_unsupported")
            for code in ["field_missing", "field_invalid"] { add(.unprocessableContent, code) }
        }
        if access == .session || !refusals.isEmpty {
            add(.serviceUnavailable, AccountsError.Code.storeUnavailable.rawValue)
        }
        add(.internalServerError, AccountsError.Code.internalError.rawValue)
        return byStatus
    }
}

extension ServerParts {
    /// The members of a request's body; one that the operation does not describe is refused.
    func fields(of request: Request, _ operation: Operation) async throws -> JSONFields {
        let fields = try await request.signInRequest(time)
            .jsonFields(maximumByteCount: ServerLimits.maximumJsonByteCount)
        try fields.refuseOthers(than: operation.fields.map(\.name))
        return fields
    }
}
