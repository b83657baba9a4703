import AppleIdentity
import Hummingbird
import SignInWithAppleHummingbird

/// What a person typed into a form of an own page.
struct PostedForm: Sendable {
    private let fields: [(name: String, value: String)]

    /// Reads the form; throws `content_too_large`, `form_unreadable` and the like.
    init(_ request: Request, time: TimeSource) async throws {
        fields = try await request.signInRequest(time)
            .form(maximumByteCount: ServerLimits.maximumFormByteCount)
    }

    init(fields: [(name: String, value: String)]) {
        self.fields = fields
    }

    /// A field's value; nil when it is missing or there twice.
    subscript(name: String) -> String? {
        let values = fields.filter { $0.name == name }
        return values.count == 1 ? values[0].value : nil
    }

    /// A field that has to be there: without it, or with two, nobody can tell what the person wants; throws
    /// `field_not_once`.
    func required(_ name: String) throws(ServerError) -> String {
        guard let value = self[name] else { throw .fieldNotOnce(name) }
        return value
    }

    /// A field that may be left empty, with nil for only blanks; throws `field_not_once` when it is there twice.
    func optional(_ name: String) throws(ServerError) -> String? {
        guard fields.contains(where: { $0.name == name }) else { return nil }
        let value = try required(name)
        return value.allSatisfy(\.isWhitespace) ? nil : value
    }
}
