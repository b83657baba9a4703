import AppleIdentity
import HTTPTypes
import Hummingbird
import OpenAPIDescription

/// One method of a path: its action and its description.
struct ControlOperation: Sendable {
    typealias Perform = @Sendable (ControlRequest) async throws -> ControlAnswer

    let method: HTTPRequest.Method
    let about: ControlDescription
    let perform: Perform

    static func get(_ about: ControlDescription, _ perform: @escaping Perform) -> Self {
        Self(method: .get, about: about, perform: perform)
    }

    static func post(_ about: ControlDescription, _ perform: @escaping Perform) -> Self {
        Self(method: .post, about: about, perform: perform)
    }

    static func patch(_ about: ControlDescription, _ perform: @escaping Perform) -> Self {
        Self(method: .patch, about: about, perform: perform)
    }

    static func delete(_ about: ControlDescription, _ perform: @escaping Perform) -> Self {
        Self(method: .delete, about: about, perform: perform)
    }
}

/// The description of an operation, from which the OpenAPI document is built.
struct ControlDescription: Sendable {
    typealias Field = JSONSchema.Field
    typealias Answer = DescribedOperation.Answer

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

    /// The unique operation id, a function name in generated clients.
    let id: String
    let group: Group
    let summary: String
    let query: [Field]
    /// The body; nil if none is read.
    let body: JSONSchema?
    let answers: [Answer]
    let refusals: [Refusal]

    /// Creates a description; `fields` makes a body with these fields and no others.
    init(
        _ id: String,
        _ group: Group,
        _ summary: String,
        query: [Field] = [],
        body: JSONSchema? = nil,
        fields: [Field]? = nil,
        answers: [Answer],
        refusals: [Refusal] = []
    ) {
        (self.id, self.group, self.summary) = (id, group, summary)
        self.query = query
        self.body = fields.map { .object($0, isClosed: true) } ?? body
        (self.answers, self.refusals) = (answers, refusals)
    }
}

extension DescribedOperation.Answer {
    static func ok(_ description: String, _ fields: [JSONSchema.Field]) -> Self {
        .ok(description, .object(fields))
    }

    static func created(_ description: String, _ fields: [JSONSchema.Field]) -> Self {
        .created(description, .object(fields))
    }
}

extension DescribedOperation {
    /// Creates the OpenAPI operation for a method of a path.
    init(_ method: HTTPRequest.Method, _ path: RouterPath, _ about: ControlDescription) {
        let text = path.description
        self.init(
            method,
            text.hasPrefix("/") ? text : "/" + text,
            id: about.id,
            tag: about.group.rawValue,
            summary: about.summary,
            answers: about.answers
        )
        pathFields = text.matches(of: /\{([a-z_]+)\}/).map { match in
            let lengths = match.1 == "email" ? 1...ControlRequest.maximumEmailCount : nil
            return .required(String(match.1), lengths.map { .text(lengths: $0) } ?? .query())
        }
        queryFields = about.query
        body = about.body
        // A body without required fields may be missing.
        isBodyRequired = ["required", "oneOf"].contains { about.body?.json[$0] != nil }
        refusals = Self.refusals(of: about, hasPathFields: !pathFields.isEmpty)
    }

    private static func refusals(of about: ControlDescription, hasPathFields: Bool) -> [Refusals] {
        var codes: [HTTPResponse.Status: [String]] = [.forbidden: ["unknown_host", "cross_site"]]
        if about.body != nil {
            codes[.badRequest] = ["malformed"]
            codes[.contentTooLarge] = ["too_large"]
            codes[.unprocessableContent] = ["unknown_field", "wrong_field"]
        } else if hasPathFields || !about.query.isEmpty {
            codes[.unprocessableContent] = ["wrong_field"]
        }
        for refusal in about.refusals { codes[refusal.status] = [refusal.rawValue] }
        if hasPathFields { codes[.notFound] = ["not_found"] }
        return codes.map { Refusals(status: $0, codes: $1) }
    }
}
