import AppleIdentity
import Foundation

struct AuthorizationStore {
    /// The maximum number of pending authorizations; the oldest is removed first.
    static let maximumTransactionCount = 1_000
    static let maximumSessionCount = 1_000
    static let maximumDecisionCount = 1_000

    var transactions = BoundedTable<Transaction>(maximumCount: maximumTransactionCount)
    var sessions = BoundedTable<AppleAccountSession>(maximumCount: maximumSessionCount)
    private(set) var decisions: [QueuedDecision] = []

    func session(_ identifier: String?, at time: Date) -> AppleAccountSession? {
        identifier.flatMap { sessions[$0] }?.keeping { !$0.isExpired(at: time) }
    }

    private mutating func keepSignedIn(_ isWanted: (AuthenticatedPerson) -> Bool) {
        sessions.removeAll { $0.keeping(isWanted) == nil }
        sessions.updateAll { $0 = $0.keeping(isWanted) ?? $0 }
    }

    mutating func add(_ decision: QueuedDecision) throws(ControlRefusal) {
        guard decisions.count < Self.maximumDecisionCount else {
            throw .full("decision", "\(Self.maximumDecisionCount) queued decisions")
        }
        decisions.append(decision)
    }

    /// Takes the first decision that is for the client, or for any client.
    mutating func takeDecision(for clientID: ClientID) -> QueuedDecision? {
        let index = decisions.firstIndex { [nil, clientID].contains($0.clientID) }
        return index.map { decisions.remove(at: $0) }
    }

    /// Removes the decisions for a client, or all decisions.
    mutating func clearDecisions(for clientID: ClientID?) {
        decisions.removeAll { clientID == nil || $0.clientID == clientID }
    }

    /// Removes what began after a time to which the clock was moved back.
    mutating func forget(after time: Date) {
        keepSignedIn { $0.authenticatedAt <= time }
        transactions.removeAll { $0.startedAt > time }
    }

    /// Adapts the decisions for a person whose account was changed.
    mutating func update(_ account: SeedPerson, of personID: PersonID) {
        for index in decisions.indices where decisions[index].personID == personID {
            decisions[index].update(account)
        }
    }

    mutating func forget(_ personID: PersonID) {
        signOut(personID)
        decisions.removeAll { $0.personID == personID }
    }

    /// Signs a person out of every browser, even while a sheet is open.
    mutating func signOut(_ personID: PersonID) {
        keepSignedIn { $0.personID != personID }
        transactions.removeAll {
            switch $0.step {
            case .signIn, .chooser: false
            case .twoFactor(let id, _), .sheet(let id, _): id == personID
            }
        }
    }
}

/// A decision for a later authorization request.
struct QueuedDecision {
    private enum Word: String, CaseIterable {
        case continuing = "continue"
        case cancel
    }

    private(set) var personID = PersonID.unknown
    private var email = ""
    /// The only client to which it applies; nil for any.
    private(set) var clientID: ClientID?
    private var word = Word.continuing
    private(set) var choice = PersonChoice()

    var isContinuing: Bool { word == .continuing }

    static let schema = ObjectSchema(
        QueuedDecision(),
        .required("person", \.email, .text),
        .optional("client_id", \.clientID, .identifier),
        .usual("decision", \.word, .choice),
        .part(\.choice, PersonChoice.schema)
    )

    private init() {}

    init(
        _ object: JSONObject,
        people: PeopleDirectory,
        registry: ClientRegistry
    ) throws(ControlRefusal) {
        self = try Self.schema.read(object)
        if let clientID { _ = try registry.require(clientID.rawValue) }
        guard let person = people.person(email: email) else {
            throw .wrong("person", "is not the email address of a known user")
        }
        personID = person.id
        choice = try choice.checked(for: person.account)
    }

    var object: JSONObject { Self.schema.write(self) }

    /// The parameters of an authorization request that decide it, with the names of the fields.
    static let parameters = [
        "siwa_person": "person", "siwa_decision": "decision", "siwa_email": "email",
    ]

    /// The decision in an authorization request, an addition to Apple's API; nil if it has none.
    init?(_ fields: FormFields, in state: EmulatorState) throws(OAuthRefusal) {
        let sent = Self.parameters.compactMap { name, field in
            fields[name].map { JSONObject.Member(name: field, value: .string($0)) }
        }
        guard !sent.isEmpty else { return nil }
        do throws(ControlRefusal) {
            guard !state.configuration.isStrict else {
                throw .malformed("a strict emulator accepts no decisions in requests")
            }
            try self.init(JSONObject(sent), people: state.people, registry: state.registry)
        } catch {
            let name = Self.parameters.first { $0.value == error.field }?.key
            let message = name.map { "\($0): \(error.message)" } ?? error.message
            throw OAuthRefusal(.invalidSwitches, text: message, reason: message)
                .hint("send \(Self.parameters.keys.sorted().joined(separator: ", "))")
        }
    }

    mutating func update(_ account: SeedPerson) {
        email = account.email
        choice.sharedEmail = choice.sharedEmail.flatMap(account.address)
    }
}

/// What a person shares with an app at the first authorization.
struct PersonChoice: Hashable {
    enum Email: String, CaseIterable {
        case share
        case hide
    }

    var email = Email.share
    /// The email address to share, one of the account's; nil for the primary one.
    var sharedEmail: String?
    /// The name that the person left on the sheet; nil for the account's name.
    var name: PersonName?
}

extension PersonChoice: SchemaObject {
    static let schema = ObjectSchema(
        PersonChoice(),
        .usual("email", \.email, .choice),
        .optional("shared_email", \.sharedEmail, .text),
        .optional("name", \.name, .object(.personName))
    )

    /// The choice with the account's spelling of the email address; throws if it is not possible.
    func checked(for account: SeedPerson) throws(ControlRefusal) -> PersonChoice {
        if email == .hide {
            guard !account.isManaged else {
                throw .wrong("email", "can't be hidden by a managed account")
            }
            guard account.hasEmail else {
                throw .wrong("email", "can't be hidden by an account without an email address")
            }
            guard sharedEmail == nil else {
                throw .wrong("shared_email", "can't be combined with email: hide")
            }
        }
        var choice = self
        choice.sharedEmail = sharedEmail.flatMap(account.address)
        guard sharedEmail == nil || choice.sharedEmail != nil else {
            throw .wrong("shared_email", "is not an email address of this account")
        }
        return choice
    }
}
