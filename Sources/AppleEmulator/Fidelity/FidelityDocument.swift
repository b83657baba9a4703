/// FIDELITY.md, written from the list of behaviours.
package enum FidelityDocument {
    /// The whole document, in Markdown.
    package static var markdown: String {
        let sections = BehaviourTopic.all.map(section)
        let parts = [introduction, marks, contents] + sections + [definitions]
        return parts.joined(separator: "\n\n")
    }

    private static let introduction = """
        # What this Apple does as Apple does

        Made by `make fidelity` from `Sources/AppleEmulator/Fidelity`; don't edit it by hand.

        A behaviour that is emulated names the tests that would fail if it were not, and the switch that changes it, if there is one.
        One that is not emulated says why. A test is named `Suite.function`; where the suite is left out, it is the one before.
        """

    // MARK: Overview

    private static var marks: String {
        let meanings: [(Behaviour.Mark, String)] = [
            (.documented, "Apple's documentation says it"),
            (.observed, "people pasted what Apple answered, or tested it against Apple"),
            (.assumed, "neither; the likeliest guess"),
        ]
        let all = BehaviourTopic.all.flatMap(\.behaviours)
        let rows = meanings.map { mark, meaning in
            "| \(mark.rawValue) | \(meaning) | \(counts(of: all.filter { $0.mark == mark })) |"
        }
        let head = "| mark | meaning | emulated | not emulated |\n|---|---|---|---|"
        return ([head] + rows).joined(separator: "\n")
    }

    private static var contents: String {
        let rows = BehaviourTopic.all.map { topic in
            "| [\(topic.title)](#\(anchor(of: topic.title))) | \(counts(of: topic.behaviours)) |"
        }
        let all = "| all | \(counts(of: BehaviourTopic.all.flatMap(\.behaviours))) |"
        let head = "| topic | emulated | not emulated |\n|---|---|---|"
        return ([head] + rows + [all]).joined(separator: "\n")
    }

    private static func counts(of behaviours: [Behaviour]) -> String {
        let emulated = behaviours.count(where: \.isEmulated)
        return "\(emulated) | \(behaviours.count - emulated)"
    }

    /// A heading's anchor as GitHub makes it.
    private static func anchor(of title: String) -> String {
        title.lowercased()
            .filter { $0.isLetter || $0.isNumber || $0 == "-" || $0 == " " }
            .replacing(" ", with: "-")
    }

    // MARK: Topics

    private static func section(_ topic: BehaviourTopic) -> String {
        let head = """
            ## \(topic.title)

            | behaviour | mark | source | switch | test, or why not |
            |---|---|---|---|---|
            """
        return ([head] + topic.behaviours.map(row)).joined(separator: "\n")
    }

    private static func row(_ behaviour: Behaviour) -> String {
        let sources = behaviour.sources.map { "[\($0.name)]" }
        let cells = [
            behaviour.text,
            behaviour.mark.rawValue,
            sources.joined(separator: ", "),
            behaviour.control ?? "",
            proof(behaviour.emulation),
        ]
        return "| \(cells.map(escaped).joined(separator: " | ")) |"
    }

    /// Where the names in brackets lead: once for the whole document, so that its rows stay short.
    private static var definitions: String {
        let sources = Set(BehaviourTopic.all.flatMap(\.behaviours).flatMap(\.sources))
        return sources.sorted { $0.name < $1.name }
            .map { "[\($0.name)]: \($0.address)" }
            .joined(separator: "\n")
    }

    private static func proof(_ emulation: Behaviour.Emulation) -> String {
        switch emulation {
        case .tested(let tests): shortened(tests).map { "`\($0)`" }.joined(separator: ", ")
        case .missing(let reason): "**not emulated**: \(reason)"
        }
    }

    /// The tests' names, each suite named once.
    private static func shortened(_ tests: [String]) -> [String] {
        var suite: Substring?
        return tests.map { test in
            let own = test.prefix { $0 != "." }
            defer { suite = own }
            return own == suite ? String(test.dropFirst(own.count)) : test
        }
    }

    /// A bar would end the cell.
    private static func escaped(_ text: String) -> String {
        text.replacing("|", with: "\\|")
    }
}
