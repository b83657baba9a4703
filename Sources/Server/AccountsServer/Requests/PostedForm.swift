import AppleIdentity
import Hummingbird
import SignInWithAppleHummingbird

/// The posted values of a form on a page of this server.
struct PostedForm: Sendable {
    private let fields: [(name: String, value: String)]

    /// Reads the form; throws errors such as `content_too_large` and `form_unreadable`.
    init(_ request: Request, time: TimeSource) async throws {
        fields = try await request.signInRequest(time)
            .form(maximumByteCount: ServerLimits.maximumFormByteCount)
    }

    init(fields: [(name: String, value: String)]) {
        self.fields = fields
    }

    /// A field's value; nil when the field is missing or repeated.
    subscript(name: String) -> String? {
        let values = fields.filter { $0.name == name }
        return values.count == 1 ? values[0].value : nil
    }

    /// Returns a required field; throws `field_not_once` when it is missing or repeated.
    func required(_ name: String) throws(ServerError) -> String {
        guard let value = self[name] else { throw .fieldNotOnce(name) }
        return value
    }

    /// Returns a field, or nil when it is blank; throws `field_not_once` when it is repeated.
    func optional(_ name: String) throws(ServerError) -> String? {
        guard fields.contains(where: { $0.name == name }) else { return nil }
        let value = try required(name)
        return value.allSatisfy(\.isWhitespace) ? nil : value
    }
}
