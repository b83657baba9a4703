/// An error of a control API operation or of a seed entry.
public struct ControlRefusal: Error, Hashable, Sendable {
    /// The kind of error.
    public enum Kind: String, Hashable, Sendable {
        /// A field that the operation does not have.
        case unknownField = "unknown_field"
        /// A field that is missing or has an invalid value.
        case wrongField = "wrong_field"
        /// An object with the same identifier exists with other values.
        case conflict
        /// The object does not exist.
        case notFound = "not_found"
        /// The request is invalid as a whole, or a limit is reached.
        case malformed
    }

    /// The kind of error.
    public let kind: Kind
    /// The name of the invalid field, if a field is the cause.
    public let field: String?
    /// The error in one sentence.
    public let message: String

    /// Creates an error.
    public init(kind: Kind, field: String? = nil, message: String) {
        (self.kind, self.field, self.message) = (kind, field, message)
    }
}

extension ControlRefusal {
    /// The error of a closure; the compiler does not infer its type.
    package init(_ error: any Error) {
        self = error as? ControlRefusal ?? .malformed("\(error)")
    }

    package static func wrong(_ field: String, _ problem: String) -> ControlRefusal {
        ControlRefusal(kind: .wrongField, field: field, message: "\(field) \(problem)")
    }

    static func malformed(_ message: String) -> ControlRefusal {
        ControlRefusal(kind: .malformed, message: message)
    }

    static func conflict(_ field: String, _ message: String) -> ControlRefusal {
        ControlRefusal(kind: .conflict, field: field, message: message)
    }

    /// The refusal at a limit, which names it.
    static func full(_ field: String, _ limit: String) -> ControlRefusal {
        .conflict(field, "there are already \(limit), the most that are possible")
    }

    package static func notFound(_ field: String, _ message: String) -> ControlRefusal {
        ControlRefusal(kind: .notFound, field: field, message: message)
    }
}
