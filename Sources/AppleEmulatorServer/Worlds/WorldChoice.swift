import AppleEmulator
import HTTPTypes

/// Which world a request says it is for.
struct WorldChoice: Sendable {
    static let parameter = "siwa_world"
    static let fieldName = "Siwa-World"
    /// The cookie by which a browser stays in a world.
    static let cookieName = "siwa-world"

    struct Refusal: Error {
        let field: String
        let problem: String
    }

    /// What the request itself says.
    enum Selection {
        case named(WorldName)
        case unnamed
        /// Nothing: what it carries tells, or the browser's cookie.
        case silent
    }

    let selection: Selection
    /// Whether the query says it, so that a browser is to remember it.
    let isInQuery: Bool
    /// The world that the browser was in before.
    let remembered: WorldName?
    /// Whether a world that is not there may be made: not for what a page of another site sends unseen.
    let mayMakeWorld: Bool
    /// The path and query without the parameter, which neither Apple's rules nor the control port know.
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

    /// The cookie that a browser is to remember the choice by; nil when it need not.
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
        guard values.count <= 1 else { throw Refusal(field: fieldName, problem: "is there twice") }
        return values.first
    }

    /// An empty name stands for the unnamed world.
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
        guard own.count <= 1 else { throw Refusal(field: parameter, problem: "is there twice") }
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
        let isName = text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "-"):
                true
            default: false
            }
        }
        guard isName, (1...Self.maximumCharacterCount).contains(text.utf8.count) else { return nil }
        self.text = text
    }
}
