import Accounts
import AppleIdentity
import HTTPTypes
import Hummingbird
import OpenAPIDescription
import SignInWithAppleHummingbird

/// The description of a JSON route, for its reading of fields and for the OpenAPI document.
struct Operation: Sendable {
    /// The headings of the operations.
    enum Group: String, CaseIterable, Sendable {
        case signingIn = "Signing in"
        case sessions = "Sessions"
        case tokens = "Access tokens"
        case account = "Account"
        case mail = "Email"
        case operation = "Operation"
    }

    /// Who may send the request.
    enum Access: Sendable {
        case anyone
        case session
        /// A service with its secret.
        case service
    }

    /// A member of the body, or a parameter of the path.
    typealias Field = JSONSchema.Field
    /// The response without errors.
    typealias Answer = DescribedOperation.Answer

    /// A unique name for generated clients.
    let id: String
    let group: Group
    let summary: String
    var access = Access.anyone
    var parameters: [Field] = []
    var fields: [Field] = []
    /// The fields of a form, instead of a JSON body.
    var form: [Field] = []
    /// The rules for several members of the body together, in the form of JSON Schema.
    var rules: JSONObject = [:]
    let answer: Answer
    /// The errors of the accounts, without those that all routes share.
    var refusals: [AccountsError.Code] = []
    /// The errors of this route only.
    var otherRefusals: [HTTPResponse.Status: [String]] = [:]
}

extension Operation {
    /// All error codes by status: the route's own, and those of a body, a session and a store.
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
        if !fields.isEmpty || !form.isEmpty {
            add(.badRequest, "content_malformed")
            add(.requestTimeout, "request_too_slow")
            add(.serviceUnavailable, "server_busy")
            add(.contentTooLarge, "content_too_large")
            add(.unsupportedMediaType, "content_type_unsupported")
        }
        if !form.isEmpty { add(.badRequest, "form_unreadable") }
        if !fields.isEmpty {
            for code in ["json_unreadable", "field_unknown"] { add(.badRequest, code) }
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
    /// Returns the members of a request's body; throws an error for an undescribed member.
    func fields(of request: Request, _ operation: Operation) async throws -> JSONFields {
        let fields = try await request.signInRequest(time)
            .jsonFields(maximumByteCount: ServerLimits.maximumJsonByteCount)
        try fields.refuseOthers(than: operation.fields.map(\.name))
        return fields
    }
}
