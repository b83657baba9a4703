import AppleIdentity

/// What a person lets an app know the first time; later it has no effect.
struct PersonChoice: Hashable {
    /// Whether the app gets the relay address.
    var hidesEmail = false
    /// The address to share, one of the account's; nil for the account's own.
    var sharedEmail: String?
    /// The name the person left on the sheet; nil leaves the account's.
    var name: PersonName?
}

extension PersonChoice {
    /// Reads a choice as the control port spells it: `email`, `shared_email` and `name`.
    init(_ fields: FieldReader, of account: SeedPerson) throws(ControlRefusal) {
        hidesEmail = try !fields.isFirst("email", of: "share", or: "hide")
        name = try fields.optionalPersonName("name")
        guard !(hidesEmail && account.isManaged) else {
            throw .wrong("email", "can't be hidden by a managed account")
        }
        guard !(hidesEmail && !account.hasEmail) else {
            throw .wrong("email", "can't be hidden by an account without one")
        }
        guard let text = try fields.optionalText("shared_email") else { return }
        guard !hidesEmail else { throw .wrong("shared_email", "can't go with email: hide") }
        guard let address = account.address(text) else {
            throw .wrong("shared_email", "is not an address of this account")
        }
        sharedEmail = address
    }
}
