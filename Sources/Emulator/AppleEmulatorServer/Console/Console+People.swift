import AppleEmulator
import AppleEmulatorPages
import AppleIdentity

/// The pages of people with an Apple Account, and of what they do in its settings.
extension Console {
    var peopleRoutes: [ConsoleRoute] {
        let path = "console/people"
        return [
            ConsoleRoute(path, .people, page: people) { visit in
                _ = try await visit.emulator.add(.person, visit.object(of: Self.personForm))
                return .done(.personAdded, at: ConsoleSection.people.path)
            },
            ConsoleRoute(path + "/{email}", .people, page: person) { visit in
                let form = Self.form(changing: JSONObject())
                let email = visit.parameter("email")
                let person = try await visit.emulator.changePerson(email, visit.patch(of: form))
                return .done(.personSaved, at: Self.path(ofPerson: person.text("email")))
            },
            ConsoleRoute(path + "/{email}/stop-using", .people, page: person) { visit in
                let email = visit.parameter("email")
                try await visit.emulator.stopUsing(
                    email,
                    clientID: ClientID(visit["client_id"])
                )
                return .done(.stoppedUsing, at: Self.path(ofPerson: email))
            },
            ConsoleRoute(path + "/{email}/forwarding", .people, page: person, action: forward),
            ConsoleRoute(path + "/{email}/delete", .people, page: person, action: delete),
        ]
    }

    static func path(ofPerson email: String) -> String {
        "\(ConsoleSection.people.path)/\(ConsoleText.pathPart(email))"
    }

    private static let personForm = ConsoleForm(
        "person",
        to: ConsoleSection.people.path,
        "Add the person",
        .primary
    )
    .asking([
        ConsoleField("email", "Email address", .email, isRequired: true),
        ConsoleField("given_name", "Given name"), ConsoleField("family_name", "Family name"),
        ConsoleField("password", "Password", .password)
            .hint("The default is \(SeedPerson.standardPassword)."),
        ConsoleField("other_emails", "Other addresses", .lines)
            .hint("One per line; they can be used to sign in and are offered on the sheet."),
        ConsoleField("two_factor", "Two-factor authentication", .check, value: "true")
            .hint("Signing in also requires a six-digit code."),
        ConsoleField("has_email", "Has an address for apps", .check, value: "true")
            .hint("Managed accounts of younger students have none."),
        ConsoleField("managed", "Managed by an organization", .check)
            .hint(
                "The token has a different form of sub, and an org_id. The person"
                    + " cannot hide the address."
            ),
    ])

    private static func form(changing person: JSONObject) -> ConsoleForm {
        ConsoleForm("edit", to: path(ofPerson: person.text("email")), "Save", .primary)
            .asking([
                ConsoleField("email", "Email address", .email)
                    .hint("Apps keep the address that they were given."),
                ConsoleField("given_name", "Given name"),
                ConsoleField("family_name", "Family name"),
                ConsoleField("other_emails", "Other addresses", .lines),
                ConsoleField("two_factor", "Two-factor authentication", .check),
                ConsoleField("email_verified", "Address verified", .check),
                ConsoleField("has_email", "Has an address for apps", .check),
            ])
            .filled(with: person)
    }

    @Sendable private func people(_ visit: ConsoleVisit) async throws -> ConsolePage {
        let text = visit.query("q")
        let paging = ConsolePaging(.people, visit, keeping: ["q"])
        let found = await visit.emulator.consolePeople(
            matching: text,
            from: paging.start,
            maximumCount: ConsolePaging.maximumCount,
            ofCheck: visit.isOfCheck
        )
        let total = found["total"]?.integerValue ?? 0
        let content: JSONObject = [
            "q": .string(text), "people": .list(found.objects("people").map(Self.row)),
            "is_searched": .boolean(!text.isEmpty),
            "new": .object(Self.opened(Self.personForm, "Add a person", visit)),
        ]
        return ConsolePage(
            .people,
            template: "console-people",
            content: content.merging(paging.content(total: total))
        )
    }

    private static func row(_ person: JSONObject) -> JSONObject {
        let name = PersonName(
            givenName: person["given_name"]?.stringValue,
            familyName: person["family_name"]?.stringValue
        )
        return person.merging([
            "name": .string(name.displayName),
            "path": .string(path(ofPerson: person.text("email"))),
            "lacks_email": .boolean(person["has_email"] == false),
            "is_unverified": .boolean(person["email_verified"] == false),
            "uses": .list(person.objects("consents")),
        ])
    }

    @Sendable private func person(_ visit: ConsoleVisit) async throws -> ConsolePage {
        let person = try await visit.emulator.consolePerson(visit.parameter("email"))
        let email = person.text("email")
        var content = Self.row(person)
        content["consents"] = .list(
            person.objects("consents").enumerated().map { index, consent in
                Self.consent(consent, at: index, of: email, visit)
            }
        )
        content["inbox"] = .string(
            "\(ConsoleSection.inbox.path)?person=\(ConsoleText.pathPart(email))"
        )
        let edit = Self.form(changing: person)
        content["edit"] = visit.content(of: edit)
        content["edit_open"] = .boolean(visit.hasRefused(edit))
        content["form"] = visit.content(of: Self.deleteForm(email))
        let name = content.text("name")
        return ConsolePage(
            .people,
            title: name.isEmpty ? email : name,
            template: "console-person",
            content: content
        )
    }

    private static func consent(
        _ consent: JSONObject,
        at index: Int,
        of email: String,
        _ visit: ConsoleVisit
    ) -> JSONObject {
        let clientID = consent.text("client_id")
        let path = path(ofPerson: email)
        let isForwarded = consent["forwarding"] == true
        let stop = ConsoleForm("stop-\(index)", to: path + "/stop-using", "Stop Using")
            .sending([("client_id", clientID)], spoken: "Stop using \(clientID)")
        var forms = [visit.content(of: stop)]
        if consent["email"] == "hide" {
            let word = isForwarded ? "Turn forwarding off" : "Turn forwarding on"
            let forward = ConsoleForm("forward-\(index)", to: path + "/forwarding", word)
                .sending(
                    [("client_id", clientID), ("enabled", isForwarded ? "false" : "true")],
                    spoken: "\(word): \(clientID)"
                )
            forms.append(visit.content(of: forward))
        }
        return consent.readable("granted_at").merging([
            "hides": .boolean(consent["email"] == "hide"),
            "shares": .boolean(consent["email"] == "share"), "is_forwarded": .boolean(isForwarded),
            "forms": .array(forms),
        ])
    }

    private static func deleteForm(_ email: String) -> ConsoleForm {
        ConsoleForm(
            "delete",
            to: path(ofPerson: email) + "/delete",
            "Delete the Apple Account",
            .danger
        )
        .asking([
            ConsoleField(
                "understood",
                "I understand that every app is notified and that this can’t be undone",
                .check,
                isRequired: true
            )
        ])
    }

    @Sendable private func forward(_ visit: ConsoleVisit) async throws -> ConsoleOutcome {
        let email = visit.parameter("email")
        let isEnabled = visit["enabled"] == "true"
        try await visit.emulator.setForwarding(
            email,
            clientID: ClientID(visit["client_id"]),
            enabled: isEnabled
        )
        return .done(isEnabled ? .forwardingOn : .forwardingOff, at: Self.path(ofPerson: email))
    }

    @Sendable private func delete(_ visit: ConsoleVisit) async throws -> ConsoleOutcome {
        guard visit["understood"] == "true" else {
            let message = "tick the box to delete the account"
            throw ControlRefusal(kind: .wrongField, field: "understood", message: message)
        }
        try await visit.emulator.deletePerson(visit.parameter("email"))
        return .done(.personDeleted, at: ConsoleSection.people.path)
    }
}
