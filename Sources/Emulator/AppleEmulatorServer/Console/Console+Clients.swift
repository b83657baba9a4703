import AppleEmulator
import AppleEmulatorPages
import AppleIdentity

/// The page that changes or removes an app or a Services ID.
extension Console {
    var clientRoutes: [ConsoleRoute] {
        let path = "console/apps/client/{client_id}"
        return [
            ConsoleRoute(path, .apps, page: client) { visit in
                let clientID = visit.parameter("client_id")
                let (object, isService) = try await registered(clientID, in: visit)
                let patch = visit.patch(of: Self.form(changing: object, isService))
                if isService {
                    _ = try await visit.emulator.changeService(clientID, patch)
                } else {
                    _ = try await visit.emulator.changeApp(clientID, patch)
                }
                return .done(.saved, at: ConsoleSection.apps.path)
            },
            ConsoleRoute(path + "/remove", .apps, page: client) { visit in
                let clientID = visit.parameter("client_id")
                if try await registered(clientID, in: visit).isService {
                    try await visit.emulator.removeService(clientID)
                } else {
                    try await visit.emulator.removeApp(clientID)
                }
                return .done(.removed, at: ConsoleSection.apps.path)
            },
        ]
    }

    static func path(ofClient clientID: String) -> String {
        "\(ConsoleSection.apps.path)/client/\(ConsoleText.pathPart(clientID))"
    }

    private func registered(_ clientID: String, in visit: ConsoleVisit) async throws(ControlRefusal)
        -> (
            object: JSONObject, isService: Bool
        )
    {
        let registry = await visit.emulator.consoleRegistry()
        for (section, isService) in [("apps", false), ("services", true)] {
            let object = registry.objects(section).first { $0.text("client_id") == clientID }
            if let object { return (object, isService) }
        }
        throw .notFound("client_id", "no app or Services ID has this client ID")
    }

    /// The form that changes a client, with a return URL that an unregistered request used.
    private static func form(
        changing object: JSONObject,
        _ isService: Bool,
        adding returnURL: String = ""
    ) -> ConsoleForm {
        var values = object
        let urls = object["return_urls"]?.arrayValue ?? []
        if !returnURL.isEmpty, !urls.contains(.string(returnURL)) {
            values["return_urls"] = .array(urls + [.string(returnURL)])
        }
        return ConsoleForm("client", to: path(ofClient: object.text("client_id")), "Save", .primary)
            .asking([nameField, isService ? returnURLField : notificationURLField])
            .filled(with: values)
    }

    @Sendable private func client(_ visit: ConsoleVisit) async throws -> ConsolePage {
        let (object, isService) = try await registered(visit.parameter("client_id"), in: visit)
        let clientID = object.text("client_id")
        let name = object.text("name")
        let form = Self.form(changing: object, isService, adding: visit.query("return_url"))
        let remove = ConsoleForm(
            "remove",
            to: Self.path(ofClient: clientID) + "/remove",
            isService ? "Remove the Services ID" : "Remove the app",
            .danger
        )
        return ConsolePage(
            .apps,
            title: name.isEmpty ? clientID : name,
            template: "console-client",
            content: object.merging([
                "is_service": .boolean(isService),
                "form": visit.content(of: form),
                "remove": visit.content(of: remove),
                "remove_open": .boolean(visit.hasRefused(remove)),
            ])
        )
    }
}
