import Accounts
import AppleIdentity
import HTTPTypes
import OpenAPIDescription

/// A JSON route: its method, path and operation.
struct DescribedRoute: Sendable {
    let method: HTTPRequest.Method
    let path: String
    let operation: Operation
}

extension OpenAPIDocument {
    /// Describes all JSON routes.
    init(appName: String, routes: [DescribedRoute]) {
        self.init(
            title: "\(appName): accounts",
            description:
                "Sign in with Apple or a password, sessions, and the account. Errors are problem documents (RFC 9457) with a stable code.",
            tags: Operation.Group.allCases.map(\.rawValue),
            securitySchemes: [
                Operation.sessionScheme: .object([
                    "type": "http", "scheme": "bearer",
                    "description": "The token that a sign-in returns.",
                ]),
                Operation.serviceScheme: .object([
                    "type": "http", "scheme": "basic",
                    "description": "A service and its secret, from SIWA_INTROSPECTION_SECRETS.",
                ]),
            ],
            schemas: Schemas.allCases.map { ($0.rawValue, $0.schema) },
            problem: .named(.problem),
            operations: routes.map(\.described)
        )
    }
}

extension Operation {
    fileprivate static let sessionScheme = "session"
    fileprivate static let serviceScheme = "service"

    fileprivate var scheme: String? {
        switch access {
        case .anyone: nil
        case .session: Self.sessionScheme
        case .service: Self.serviceScheme
        }
    }
}

extension DescribedRoute {
    fileprivate var described: DescribedOperation {
        var described = DescribedOperation(
            method,
            path,
            id: operation.id,
            tag: operation.group.rawValue,
            summary: operation.summary,
            answers: [operation.answer]
        )
        described.security = operation.scheme
        described.pathFields = operation.parameters
        if !operation.fields.isEmpty {
            described.body = .object(operation.fields, isClosed: true)
                .restricted(by: operation.rules)
        }
        if !operation.form.isEmpty {
            described.body = .object(operation.form)
            described.bodyType = "application/x-www-form-urlencoded"
        }
        described.refusals = refusals
        return described
    }

    private var refusals: [DescribedOperation.Refusals] {
        var refusals = operation.refusalsByStatus
        if method == .post, refusals[.tooManyRequests] == nil {
            refusals[.tooManyRequests] = [AccountsError.Code.tooManyAttempts.rawValue]
        }
        return refusals.map { status, codes in
            .init(status: status, codes: codes, headerField: Self.headerField(of: status))
        }
    }

    private static func headerField(of status: HTTPResponse.Status) -> JSONSchema.Field? {
        switch status {
        case .unauthorized: .optional("WWW-Authenticate", .text())
        case .tooManyRequests, .serviceUnavailable: .optional("Retry-After", .text("Seconds."))
        default: nil
        }
    }
}
