import AppleIdentity

extension EmulatorState {
    func writeBrowsers(to document: inout StateDocument) {
        document["browser_sessions"] = .array(
            authorizations.sessions.entries.map { identifier, session in
                [
                    "session": .string(identifier),
                    "people": .array(
                        session.people.map { person in
                            [
                                "person_id": .person(person.personID),
                                "authenticated_at": .time(person.authenticatedAt),
                            ]
                        }
                    ),
                ]
            }
        )
        document["authorizations_next"] = .array(
            authorizations.decisions.map { .object($0.object) }
        )
    }

    mutating func readBrowsers(_ document: StateDocument) throws(ControlRefusal) {
        try document.each("browser_sessions") { object throws(ControlRefusal) in
            let fields = try FieldReader(object, known: ["session", "people"])
            let identifier = try fields.text("session")
            guard authorizations.sessions[identifier] == nil else { throw .twice("session") }
            let session = try BrowserSession(fields.value("people")?.arrayValue ?? [], in: people)
            authorizations.sessions.insert(session, for: identifier)
        }
        try document.each("authorizations_next") { object throws(ControlRefusal) in
            try authorizations.add(Decision(object, people: people))
        }
    }
}

extension BrowserSession {
    fileprivate init(_ values: [JSONValue], in people: PeopleDirectory) throws(ControlRefusal) {
        var signedIn: [SignedInPerson] = []
        for (index, value) in values.enumerated() {
            do throws(ControlRefusal) {
                signedIn.append(try SignedInPerson(value.objectValue ?? [:], in: people))
            } catch {
                throw error.within("people[\(index)]")
            }
        }
        guard let current = signedIn.first, signedIn.count <= Self.maximumPersonCount else {
            throw .wrong("people", "must have 1 to \(Self.maximumPersonCount) entries")
        }
        self.init(current: current, others: Array(signedIn.dropFirst()))
    }
}

extension SignedInPerson {
    fileprivate init(_ object: JSONObject, in people: PeopleDirectory) throws(ControlRefusal) {
        let fields = try FieldReader(object, known: ["person_id", "authenticated_at"])
        self.init(
            personID: try fields.personID(in: people),
            authenticatedAt: try fields.time("authenticated_at")
        )
    }
}
