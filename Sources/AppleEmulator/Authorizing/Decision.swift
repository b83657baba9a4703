import AppleIdentity

/// What the next person to be asked will say, given beforehand.
struct Decision {
    let personID: PersonID
    let email: String
    let isContinuing: Bool
    let choice: PersonChoice

    init(_ object: JSONObject, people: PeopleDirectory) throws(ControlRefusal) {
        let fields = try FieldReader(
            object,
            known: ["person", "decision", "email", "shared_email", "name"]
        )
        email = try fields.text("person")
        guard let person = people.person(email: email) else {
            throw .wrong("person", "names nobody this emulator knows")
        }
        personID = person.id
        isContinuing = try fields.isFirst("decision", of: "continue", or: "cancel")
        choice = try PersonChoice(fields, of: person.account)
    }

    var object: JSONObject {
        var object: JSONObject = [
            "person": .string(email),
            "decision": isContinuing ? "continue" : "cancel",
            "email": choice.hidesEmail ? "hide" : "share",
        ]
        object["shared_email"] = choice.sharedEmail.map { .string($0) }
        object["name"] = choice.name?.object
        return object
    }
}

extension FieldReader {
    /// Whether a field has the first of two words; the first also counts when it is left out.
    func isFirst(_ name: String, of first: String, or second: String) throws(ControlRefusal) -> Bool
    {
        let word = try optionalText(name) ?? first
        guard word == first || word == second else {
            throw .wrong(name, "must be \"\(first)\" or \"\(second)\"")
        }
        return word == first
    }
}

extension PersonName {
    var object: JSONValue {
        var object = JSONObject()
        object["given_name"] = givenName.map { .string($0) }
        object["family_name"] = familyName.map { .string($0) }
        return .object(object)
    }
}
