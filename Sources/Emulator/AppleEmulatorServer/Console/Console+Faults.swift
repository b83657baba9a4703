import AppleEmulator
import AppleEmulatorPages
import AppleIdentity

/// The page of pending faults and of switches.
extension Console {
    var faultRoutes: [ConsoleRoute] {
        let path = "console/faults"
        let section = ConsoleSection.faults
        return [
            ConsoleRoute(path, section, page: faults) { visit in
                _ = try await visit.emulator.addFault(visit.object(of: Self.faultForm))
                return .done(.faultAdded, at: section.path)
            },
            ConsoleRoute(path + "/clear", section, page: faults) { visit in
                await visit.emulator.clearFaults()
                return .done(.faultsCleared, at: section.path)
            },
            ConsoleRoute(path + "/switch", section, page: faults, action: changeSwitch),
            ConsoleRoute(path + "/switches/reset", section, page: faults) { visit in
                _ = try await visit.emulator.resetSwitches()
                return .done(.switchesReset, at: section.path)
            },
        ]
    }

    private static let headerFieldsExample = #"{"Retry-After": "60", "Cache-Control": null}"#

    private static let faultForm =
        ConsoleForm("fault", to: ConsoleSection.faults.path, "Add the fault", .primary)
        .asking([
            ConsoleField(
                "endpoint",
                "Endpoint",
                .choice(AppleEmulator.faultEndpoints.map { (value: $0, label: $0) }),
                value: "token"
            ),
            ConsoleField("status", "Status", .number)
                .hint("200 to 599; leave empty for Apple’s own response."),
            ConsoleField("delay_ms", "Wait (milliseconds)", .number),
            ConsoleField("count", "Number of requests", .number, value: "1"),
            ConsoleField("skip", "Requests to let through first", .number),
            ConsoleField("drop", "Close the connection without a response", .check),
            ConsoleField("content_type", "Content-Type"),
            ConsoleField("body", "Body of the response", .area),
            ConsoleField("headers", "Header fields (JSON)", .json)
                .hint("Such as \(Self.headerFieldsExample); null removes a field."),
        ])

    /// The values of a switch with their labels, which end with the value as in JSON; empty if any text or number is possible.
    private static func options(_ object: JSONObject) -> [(value: String, label: String)] {
        object.objects("options").map { option in
            let (value, label) = (option.text("value"), option.text("label"))
            return (value: value, label: value == label ? label : "\(label) (\(value))")
        }
    }

    /// A value in words, or as it is if it is no choice.
    private static func words(_ value: JSONValue?, of object: JSONObject) -> String {
        let text = ConsoleText.plain(value)
        return options(object).first { $0.value == text }?.label ?? text
    }

    private static func switchForm(_ object: JSONObject) -> ConsoleForm {
        let name = object.text("name")
        let options = options(object)
        var field = ConsoleField(
            "value",
            name,
            value: ConsoleText.plain(object["value"]),
            isRequired: true
        )
        if !options.isEmpty {
            field.kind = .choice(options)
        } else if object["is_number"] == true {
            field.kind = .number
        }
        return ConsoleForm("switch-\(name)", to: "/console/faults/switch", "Set", isAtOnce: true)
            .sending([("name", name)], spoken: "Set \(name)")
            .asking([field])
    }

    @Sendable private func faults(_ visit: ConsoleVisit) async throws -> ConsolePage {
        let faults = await visit.emulator.faults()
        let clear = ConsoleForm("clear", to: "/console/faults/clear", "Clear all faults", .danger)
        let content: JSONObject = [
            "faults": .list(faults.map(Self.fault)),
            "clear": faults.isEmpty ? .null : visit.content(of: clear),
            "new": .object(Self.opened(Self.faultForm, "Add a fault", visit)),
        ]
        let switches = Self.switches(await visit.emulator.consoleSwitches(), visit)
        var page = ConsolePage(
            .faults,
            template: "console-faults",
            content: content.merging(switches)
        )
        page.submitsChanges = true
        return page
    }

    /// The switches that the query selects: the changed ones, then the others by topic.
    private static func switches(_ all: [JSONObject], _ visit: ConsoleVisit) -> JSONObject {
        let text = visit.query("q")
        let areChanged = visit.query("only") == "changed"
        let changed = all.filter { $0["is_changed"] == true }
        let shown = (areChanged ? changed : all).filter { object in
            let words = ["name", "about", "values"].map(object.text)
            return text.isEmpty
                || (words + options(object).map(\.label)).contains {
                    $0.lowercased().contains(text.lowercased())
                }
        }
        let titles = shown.map(group).reduce(into: [changedTitle]) {
            if !$0.contains($1) { $0.append($1) }
        }
        let groups = titles.map { title in (title, shown.filter { group($0) == title }) }
        let reset = ConsoleForm(
            "reset-switches",
            to: "/console/faults/switches/reset",
            "Reset every switch"
        )
        return [
            "q": .string(text), "are_changed": .boolean(areChanged),
            "is_filtered": .boolean(areChanged || !text.isEmpty),
            "changed_count": .integer(changed.count), "count": .integer(all.count),
            "groups": .list(
                groups.filter { !$0.1.isEmpty }.map { title, switches in
                    [
                        "title": .string(title),
                        "switches": .list(switches.map { row($0, visit) }),
                    ]
                }
            ),
            "reset": changed.isEmpty ? .null : visit.content(of: reset),
        ]
    }

    private static let changedTitle = "Changed"

    private static func group(_ object: JSONObject) -> String {
        object["is_changed"] == true ? changedTitle : object.text("group")
    }

    private static func fault(_ fault: JSONObject) -> JSONObject {
        var shown = fault
        shown["headers"] = fault["headers"]?.objectValue.map { .string($0.text) }
        shown["probability"] = fault["probability"].map { .string(ConsoleText.plain($0)) }
        shown["body"] = fault["body"]?.stringValue.map { .string(String($0.prefix(500))) }
        return shown
    }

    private static func row(_ object: JSONObject, _ visit: ConsoleVisit) -> JSONObject {
        let name = object.text("name")
        let back = ConsoleForm("back-\(name)", to: "/console/faults/switch", "Reset")
            .sending(
                [("name", name), ("value", ConsoleText.plain(object["usual_value"]))],
                spoken: "Reset \(name)"
            )
        return object.merging([
            "usual_value": .string(words(object["usual_value"], of: object)),
            "form": visit.content(of: switchForm(object)),
            "back": object["is_changed"] == true ? visit.content(of: back) : .null,
        ])
    }

    /// Sets a switch from the form's name and value; a refusal is shown at the value.
    @Sendable private func changeSwitch(_ visit: ConsoleVisit) async throws -> ConsoleOutcome {
        let name = visit["name"]
        let text = visit["value"]
        let switches = await visit.emulator.consoleSwitches()
        guard let object = switches.first(where: { $0.text("name") == name }) else {
            throw ControlRefusal.notFound("name", "there is no such switch")
        }
        let value: JSONValue =
            if object["is_number"] == true {
                Int(text).map { .integer($0) } ?? .string(text)
            } else if object["value"]?.booleanValue != nil {
                text == "true" || text == "false" ? .boolean(text == "true") : .string(text)
            } else {
                .string(text)
            }
        do {
            _ = try await visit.emulator.changeSwitches(
                JSONObject([.init(name: name, value: value)])
            )
        } catch {
            throw ControlRefusal(kind: error.kind, field: "value", message: error.message)
        }
        return .done(.switchChanged, at: ConsoleSection.faults.path, part: "switch-\(name)")
    }
}
