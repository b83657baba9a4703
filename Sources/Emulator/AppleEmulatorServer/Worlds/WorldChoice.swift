import AppleEmulator
import HTTPTypes

/// The world that a request names.
struct WorldChoice: Sendable {
    static let parameter = "siwa_world"
    static let fieldName = "Siwa-World"
    /// The cookie that keeps a browser in a world.
    static let cookieName = "siwa-world"

    struct Refusal: Error {
        let field: String
        let problem: String
    }

    /// The choice in the request itself.
    enum Selection {
        case named(WorldName)
        case unnamed
        /// No choice: the request's values or the browser's cookie decide.
        case silent
    }

    let selection: Selection
    /// Whether the choice is in the query; a browser then gets a cookie.
    let isInQuery: Bool
    /// The world in the browser's cookie.
    let remembered: WorldName?
    /// Whether the world may be created; hidden requests of another site's page may not do so.
    let mayMakeWorld: Bool
    /// The path and query without the parameter, which Apple and the control port don't know.
    let path: String

    init(_ request: HTTPRequest) throws(Refusal) {
        let (path, queried) = try Self.taking(from: request.path ?? "/")
        self.path = path
        isInQuery = queried != nil
        if let queried {
            selection = try Self.selection(queried, Self.parameter)
        } else if let sent = try Self.sent(request) {
            selection = try Self.selection(sent, Self.fieldName)
        } else {
            selection = .silent
        }
        mayMakeWorld = !FetchMetadata(request.headerFields).isHiddenFromPerson
        remembered = RequestCookies(request)[Self.cookieName].flatMap(WorldName.init)
    }

    /// The cookie that stores the choice; nil if the choice is not in the query.
    var cookie: HTTPField? {
        guard isInQuery else { return nil }
        let attributes = "Path=/; HttpOnly; SameSite=Lax"
        let value =
            if case .named(let name) = selection {
                "\(Self.cookieName)=\(name.text); \(attributes)"
            } else {
                "\(Self.cookieName)=; Max-Age=0; \(attributes)"
            }
        return HTTPField(name: .setCookie, value: value)
    }

    private static func sent(_ request: HTTPRequest) throws(Refusal) -> String? {
        let values = HTTPField.Name(fieldName).map { request.headerFields[values: $0] } ?? []
        guard values.count <= 1 else { throw Refusal(field: fieldName, problem: "appears twice") }
        return values.first
    }

    /// Parses a name; an empty one selects the unnamed world.
    private static func selection(_ text: String, _ field: String) throws(Refusal) -> Selection {
        if text.isEmpty { return .unnamed }
        guard let name = WorldName(text) else {
            throw Refusal(
                field: field,
                problem: "must have 1 to \(WorldName.maximumCharacterCount) letters, digits,"
                    + " dots, underscores or hyphens"
            )
        }
        return .named(name)
    }

    private static func taking(
        from target: String
    ) throws(Refusal) -> (path: String, value: String?) {
        guard let mark = target.firstIndex(of: "?") else { return (target, nil) }
        let pairs = target[target.index(after: mark)...]
            .split(separator: "&", omittingEmptySubsequences: false)
            .map { ($0, $0.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)) }
        let own = pairs.filter { $0.1[0] == parameter }
        guard own.count <= 1 else { throw Refusal(field: parameter, problem: "appears twice") }
        guard let parts = own.first?.1 else { return (target, nil) }
        let rest = pairs.filter { $0.1[0] != parameter }.map(\.0).joined(separator: "&")
        let path = target[..<mark] + (rest.isEmpty ? "" : "?" + rest)
        return (String(path), parts.count > 1 ? String(parts[1]) : "")
    }
}

struct WorldName: Hashable, Sendable {
    static let maximumCharacterCount = 64
    static let pattern = "^[A-Za-z0-9._-]{1,\(maximumCharacterCount)}$"

    let text: String

    init?(_ text: String) {
        guard text.utf8.count <= Self.maximumCharacterCount,
            text.wholeMatch(of: /[A-Za-z0-9._\-]+/) != nil
        else { return nil }
        self.text = text
    }
}
