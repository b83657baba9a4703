import AppleEmulator
import AppleEmulatorPages
import AppleIdentity

/// The page of registered teams, apps in their groups, Services IDs and mail sources.
extension Console {
    private static let maximumShownCount = 200

    var appRoutes: [ConsoleRoute] {
        var routes = [ConsoleRoute("console/apps", .apps, page: apps)]
        for kind in [SeedKind.team, .app, .service, .mailSource] {
            let form = Self.form(adding: kind, JSONObject())
            routes.append(
                ConsoleRoute("console/apps/\(form.id)", .apps, page: apps) { visit in
                    _ = try await visit.emulator.add(kind, visit.object(of: form))
                    return .done(.registered, at: ConsoleSection.apps.path)
                }
            )
        }
        routes.append(
            ConsoleRoute("console/apps/transfer", .apps, page: apps) { visit in
                let form = Self.transferForm(JSONObject())
                _ = try await visit.emulator.transfer(visit.object(of: form))
                return .done(.transferred, at: ConsoleSection.apps.path)
            }
        )
        return routes
    }

    /// A choice among registered objects; a plain field if there are none or too many.
    static func choice(
        _ name: String,
        _ label: String,
        among objects: [JSONObject],
        by member: String,
        none: String? = nil
    ) -> ConsoleField {
        var field = ConsoleField(name, label, isRequired: none == nil)
        guard !objects.isEmpty, objects.count <= maximumShownCount else { return field }
        var options: [(value: String, label: String)] = none.map { [("", $0)] } ?? []
        for object in objects {
            let identifier = object.text(member)
            let title = object.text("name")
            let name = title.isEmpty ? identifier : "\(title) · \(identifier)"
            options.append((identifier, name))
        }
        field.kind = .choice(options)
        return field
    }

    private static func form(adding kind: SeedKind, _ registry: JSONObject) -> ConsoleForm {
        switch kind {
        case .team: teamForm
        case .service: serviceForm(registry)
        case .mailSource: mailSourceForm(registry)
        default: appForm(registry)
        }
    }

    static func primaries(in registry: JSONObject) -> [JSONObject] {
        registry.objects("apps").filter { $0["primary_client_id"] == nil }
    }

    private static func teamField(_ registry: JSONObject) -> ConsoleField {
        choice("team_id", "Team", among: registry.objects("teams"), by: "team_id")
    }

    static let nameField = ConsoleField("name", "Name shown to people")
    static let returnURLField = ConsoleField("return_urls", "Return URLs", .lines)
        .hint("One per line; a redirect URI must match one exactly.")
    static let notificationURLField = ConsoleField(
        "notification_url",
        "Notification URL",
        maximumCount: 2_048
    )
    .hint("The URL at which the app’s server receives notifications.")

    private static let teamForm = ConsoleForm(
        "team",
        to: "/console/apps/team",
        "Add the team",
        .primary
    )
    .asking([
        ConsoleField("team_id", "Team ID", maximumCount: 10)
            .hint("Ten capital letters or digits; if empty, one is generated."),
        ConsoleField("name", "Name"),
    ])

    private static func appForm(_ registry: JSONObject) -> ConsoleForm {
        ConsoleForm("app", to: "/console/apps/app", "Add the app", .primary)
            .asking([
                ConsoleField("client_id", "Bundle ID", isRequired: true),
                teamField(registry), nameField,
                choice(
                    "primary_client_id",
                    "Grouped under",
                    among: primaries(in: registry),
                    by: "client_id",
                    none: "none: it is a primary app"
                ),
                notificationURLField,
            ])
    }

    private static func serviceForm(_ registry: JSONObject) -> ConsoleForm {
        ConsoleForm("service", to: "/console/apps/service", "Add the Services ID", .primary)
            .asking([
                ConsoleField("client_id", "Services ID", isRequired: true),
                choice(
                    "primary_client_id",
                    "Primary app",
                    among: primaries(in: registry),
                    by: "client_id"
                ),
                nameField, returnURLField,
            ])
    }

    private static func mailSourceForm(_ registry: JSONObject) -> ConsoleForm {
        ConsoleForm("mail-source", to: "/console/apps/mail-source", "Register the source", .primary)
            .asking([
                teamField(registry), ConsoleField("domain", "Domain"),
                ConsoleField("address", "Or one address", .email),
                ConsoleField(
                    "authentication",
                    "DNS authentication",
                    .choice([
                        ("both", "SPF + DKIM"), ("spf", "SPF"),
                        ("dkim", "DKIM"), ("none", "none"),
                    ])
                ),
            ])
    }

    private static func transferForm(_ registry: JSONObject) -> ConsoleForm {
        ConsoleForm("transfer", to: "/console/apps/transfer", "Transfer the app", .primary).asking([
            choice("client_id", "App", among: primaries(in: registry), by: "client_id"),
            choice("to_team", "To team", among: registry.objects("teams"), by: "team_id"),
        ])
    }

    @Sendable private func apps(_ visit: ConsoleVisit) async throws -> ConsolePage {
        let registry = await visit.emulator.consoleRegistry()
        let titles: [(SeedKind, String)] = [
            (.team, "Add a team"), (.app, "Add an app"), (.service, "Add a Services ID"),
            (.mailSource, "Register a mail source"),
        ]
        // A request of an unknown client leads here.
        let missing: JSONObject = [
            "client_id": .string(visit.query("client_id")),
            "return_urls": .string(visit.query("return_url")),
        ]
        var forms = titles.map { kind, title in
            let form = Self.form(adding: kind, registry)
            guard kind == .service else { return Self.opened(form, title, visit) }
            let isOpen = !missing.text("client_id").isEmpty
            return Self.opened(form.filled(with: missing), title, visit, isOpen: isOpen)
        }
        forms.append(Self.opened(Self.transferForm(registry), "Transfer an app", visit))
        let count = registry.objects("apps").count + registry.objects("services").count
        return ConsolePage(
            .apps,
            template: "console-apps",
            content: [
                "teams": .list(Self.teams(registry)),
                "too_many": count > Self.maximumShownCount
                    ? .string("Not all of the \(count) apps and Services IDs are shown.") : "",
                "transfers": .list(
                    registry.objects("transfers").map {
                        $0.readable("completed_at", "window_ends_at")
                    }
                ),
                "forms": .list(forms),
            ]
        )
    }

    /// A form in a collapsible section, open if it was refused or requested.
    static func opened(
        _ form: ConsoleForm,
        _ title: String,
        _ visit: ConsoleVisit,
        isOpen: Bool = false
    ) -> JSONObject {
        [
            "title": .string(title),
            "is_open": .boolean(isOpen || visit.hasRefused(form)),
            "form": visit.content(of: form),
        ]
    }

    private static func linked(_ client: JSONObject) -> JSONObject {
        client.merging(["path": .string(path(ofClient: client.text("client_id")))])
    }

    private static func teams(_ registry: JSONObject) -> [JSONObject] {
        let apps = registry.objects("apps").prefix(maximumShownCount).map(linked)
        let services = registry.objects("services").prefix(maximumShownCount).map(linked)
        return registry.objects("teams").prefix(maximumShownCount).map { team in
            let teamID = team["team_id"]
            let groups = apps.filter { $0["team_id"] == teamID && $0["primary_client_id"] == nil }
            let sources = registry.objects("mail_sources").filter { $0["team_id"] == teamID }
            return team.merging([
                "groups": .list(
                    groups.map { app in
                        app.merging([
                            "members": .list(
                                apps.filter { $0["primary_client_id"] == app["client_id"] }
                            ),
                            "services": .list(
                                services.filter { $0["primary_client_id"] == app["client_id"] }
                            ),
                        ])
                    }
                ),
                "sources": .list(
                    sources.prefix(maximumShownCount).map { source in
                        [
                            "place": .string(source.text("domain") + source.text("address")),
                            "authentication": source["authentication"] ?? "",
                        ]
                    }
                ),
            ])
        }
    }
}
