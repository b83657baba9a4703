/// Why an operation of the control port, or an entry of the seed, was refused.
public struct ControlRefusal: Error, Hashable, Sendable {
    /// The kind of mistake.
    public enum Kind: String, Hashable, Sendable {
        /// A field that the operation does not have.
        case unknownField = "unknown_field"
        /// A field that is missing or whose value is not acceptable.
        case wrongField = "wrong_field"
        /// The same thing is there already, with other values.
        case conflict
        /// The thing spoken of does not exist.
        case notFound = "not_found"
        /// The request as a whole can't be understood.
        case malformed
    }

    /// The kind of mistake.
    public let kind: Kind
    /// The field that is wrong, when it is one.
    public let field: String?
    /// What is wrong, in one sentence.
    public let message: String

    /// Makes a refusal.
    public init(kind: Kind, field: String? = nil, message: String) {
        self.kind = kind
        self.field = field
        self.message = message
    }
}

extension ControlRefusal {
    static func wrong(_ field: String, _ problem: String) -> ControlRefusal {
        ControlRefusal(kind: .wrongField, field: field, message: "\(field) \(problem)")
    }

    static func conflict(_ field: String, _ message: String) -> ControlRefusal {
        ControlRefusal(kind: .conflict, field: field, message: message)
    }

    static func notFound(_ field: String, _ message: String) -> ControlRefusal {
        ControlRefusal(kind: .notFound, field: field, message: message)
    }
}
