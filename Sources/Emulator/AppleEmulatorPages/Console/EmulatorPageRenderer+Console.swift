import AppleIdentity

/// The pages of the console.
extension EmulatorPageRenderer {
    package func render(_ page: ConsolePage, in frame: ConsoleFrame) -> String {
        var values = Self.values(of: page.content)
        values["title"] = page.title ?? page.section.title
        values["styleSheet"] =
            page.drawsFlows ? PageTemplates.flowStyleSheet : PageTemplates.consoleStyleSheet
        if page.isLive { values["script"] = PageSecurity.liveScript }
        if page.submitsChanges { values["script"] = PageSecurity.changeScript }
        if page.framesMail { values["script"] = PageSecurity.mailScript }
        return render(values, template: page.template, section: page.section, in: frame)
    }

    /// Renders a page with its own style sheet and script, in the console's frame.
    func render(
        _ content: [String: Any],
        template: String,
        section: ConsoleSection,
        in frame: ConsoleFrame
    ) -> String {
        var values = content
        values["section"] = section.title
        values["frame"] = Self.values(of: frame)
        values["sections"] = ConsoleSection.allCases.map { entry in
            ["title": entry.title, "path": entry.path, "isCurrent": entry == section]
                as [String: Any]
        }
        return draw(template, values)
    }

    private static func values(of frame: ConsoleFrame) -> [String: Any] {
        var values: [String: Any] = ["clock": frame.clock]
        values["world"] = frame.world
        values["notice"] = frame.notice
        values["error"] = frame.error
        return values
    }

    private static func values(of object: JSONObject) -> [String: Any] {
        Dictionary(
            object.members.compactMap { member in value(of: member.value).map { (member.name, $0) }
            }
        ) { first, _ in first }
    }

    private static func value(of value: JSONValue) -> Any? {
        switch value {
        case .null: nil
        case .boolean(let value): value
        case .integer(let value): value
        case .number(let value): value
        case .string(let text): text.isEmpty ? nil : text
        case .array(let values): values.compactMap { self.value(of: $0) }
        case .object(let object): values(of: object)
        }
    }
}
