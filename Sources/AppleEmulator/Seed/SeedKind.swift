import AppleIdentity

/// Why a seed, or a state that was exported, can't be used.
public struct SeedError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The line of the mistake, from 1, when it has one.
    public let line: Int?
    /// What is wrong, in one sentence.
    public let reason: String

    /// Makes an error.
    public init(line: Int?, reason: String) {
        self.line = line
        self.reason = reason
    }

    /// Line and reason in one line.
    public var description: String {
        if let line { "line \(line): \(reason)" } else { reason }
    }
}

/// The kinds of objects that a seed holds and that the control port adds.
public enum SeedKind: String, Hashable, Sendable, CaseIterable {
    /// A developer team.
    case team
    /// The public half of a key that signs client secrets.
    case key
    /// An app, by its bundle identifier.
    case app
    /// A Services ID, for the web.
    case service
    /// A person with an Apple Account.
    case person
    /// A domain or address that a team writes from.
    case mailSource

    /// The kind's name in a seed: `teams`, `keys`, `apps`, `services`, `people`, `mail_sources`.
    ///
    /// Paths of the control port have a hyphen for the underscore.
    public var section: String {
        switch self {
        case .team: "teams"
        case .key: "keys"
        case .app: "apps"
        case .service: "services"
        case .person: "people"
        case .mailSource: "mail_sources"
        }
    }
}

/// What adding an object came to.
package struct AddOutcome: Hashable, Sendable {
    /// The object as it is registered now.
    package let object: JSONObject
    /// Whether it was made now; false when the same one was there already.
    package let isNew: Bool

    /// Makes an outcome.
    package init(object: JSONObject, isNew: Bool) {
        self.object = object
        self.isNew = isNew
    }
}
