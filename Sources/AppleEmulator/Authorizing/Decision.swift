import AppleIdentity

/// What the next person to be asked will say, given beforehand.
struct Decision {
    private enum Word: String, CaseIterable {
        case continuing = "continue"
        case cancel
    }

    private(set) var personID = PersonID.nobody
    private var email = ""
    private var word = Word.continuing
    private(set) var choice = PersonChoice()

    var isContinuing: Bool { word == .continuing }

    private static let schema = Schema(
        Decision(),
        .required("person", \.email, .text),
        .usual("decision", \.word, .choice),
        .part(\.choice, PersonChoice.schema)
    )

    private init() {}

    init(_ object: JSONObject, people: PeopleDirectory) throws(ControlRefusal) {
        self = try Self.schema.read(object)
        guard let person = people.person(email: email) else {
            throw .wrong("person", "names nobody this emulator knows")
        }
        personID = person.id
        choice = try choice.checked(for: person.account)
    }

    var object: JSONObject { Self.schema.write(self) }
}

/// What a person lets an app know the first time; later it has no effect.
struct PersonChoice: Hashable {
    /// Which address an app gets.
    enum Email: String, CaseIterable {
        /// One of the account's.
        case share
        /// The relay address.
        case hide
    }

    var email = Email.share
    /// The address to share, one of the account's; nil for the account's own.
    var sharedEmail: String?
    /// The name the person left on the sheet; nil leaves the account's.
    var name: PersonName?
}

extension PersonChoice: SchemaObject {
    static let schema = Schema(
        PersonChoice(),
        .usual("email", \.email, .choice),
        .optional("shared_email", \.sharedEmail, .text),
        .optional("name", \.name, .object(.personName))
    )

    /// The choice in the account's spelling, if the account has it.
    func checked(for account: SeedPerson) throws(ControlRefusal) -> PersonChoice {
        if email == .hide {
            guard !account.isManaged else {
                throw .wrong("email", "can't be hidden by a managed account")
            }
            guard account.hasEmail else {
                throw .wrong("email", "can't be hidden by an account without one")
            }
            guard sharedEmail == nil else {
                throw .wrong("shared_email", "can't go with email: hide")
            }
        }
        var choice = self
        choice.sharedEmail = sharedEmail.flatMap(account.address)
        guard sharedEmail == nil || choice.sharedEmail != nil else {
            throw .wrong("shared_email", "is not an address of this account")
        }
        return choice
    }
}
