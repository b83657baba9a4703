import AppleIdentity
import HTTPTypes
import OpenAPIDescription

extension ControlRoute {
    /// A method of a path, and the heading that groups it in the description.
    struct Endpoint: Sendable {
        let method: HTTPRequest.Method
        let path: String
        let group: Group

        static func get(_ path: String, _ group: Group) -> Self { Self(.get, path, group) }
        static func post(_ path: String, _ group: Group) -> Self { Self(.post, path, group) }
        static func patch(_ path: String, _ group: Group) -> Self { Self(.patch, path, group) }
        static func delete(_ path: String, _ group: Group) -> Self { Self(.delete, path, group) }

        private init(_ method: HTTPRequest.Method, _ path: String, _ group: Group) {
            (self.method, self.path, self.group) = (method, path, group)
        }
    }

    /// The headings that group operations.
    enum Group: String, CaseIterable, Sendable {
        case registering = "Registering"
        case people = "People"
        case signIns = "Sign-ins"
        case apple = "Apple"
        case notifications = "Notifications"
        case mail = "Mail"
        case faults = "Switches and faults"
        case state = "State"
    }

    /// Refusals beyond those that follow from an operation's parameters and body.
    enum Refusal: String, Sendable {
        case notFound = "not_found"
        case conflict
        case tooManyWaiting = "too_many_waiting"
        case starting

        var status: HTTPResponse.Status {
            switch self {
            case .notFound: .notFound
            case .conflict: .conflict
            case .tooManyWaiting: .tooManyRequests
            case .starting: .serviceUnavailable
            }
        }
    }
}

extension DescribedOperation.Answer {
    static func ok(_ description: String, _ fields: JSONSchema.Field...) -> Self {
        .ok(description, .object(fields))
    }

    static func created(_ description: String, _ fields: JSONSchema.Field...) -> Self {
        .created(description, .object(fields))
    }
}

extension DescribedOperation {
    /// Creates the OpenAPI operation of a route.
    init(_ route: ControlRoute) {
        let path = route.endpoint.path
        self.init(
            route.endpoint.method,
            "/" + path,
            id: route.id,
            tag: route.endpoint.group.rawValue,
            summary: route.summary,
            answers: route.answers
        )
        pathFields = path.matches(of: /\{([a-z_]+)\}/).map { match in
            let lengths = match.1 == "email" ? 1...ControlRequest.maximumEmailCount : nil
            return .required(String(match.1), lengths.map { .text(lengths: $0) } ?? .query())
        }
        queryFields = route.query
        body = route.body
        // A body without required fields may be missing.
        isBodyRequired = ["required", "oneOf"].contains { route.body?.json[$0] != nil }
        refusals = Self.refusals(of: route, hasPathFields: !pathFields.isEmpty)
    }

    private static func refusals(of route: ControlRoute, hasPathFields: Bool) -> [Refusals] {
        var codes: [HTTPResponse.Status: [String]] = [.forbidden: ["unknown_host", "cross_site"]]
        if route.body != nil {
            codes[.badRequest] = ["malformed"]
            codes[.contentTooLarge] = ["too_large"]
            codes[.unprocessableContent] = ["unknown_field", "wrong_field"]
        } else if hasPathFields || !route.query.isEmpty {
            codes[.unprocessableContent] = ["wrong_field"]
        }
        for refusal in route.refusals { codes[refusal.status] = [refusal.rawValue] }
        if hasPathFields { codes[.notFound] = ["not_found"] }
        return codes.map { Refusals(status: $0, codes: $1) }
    }
}
