/// FIDELITY.md, written from the list of behaviours.
package enum FidelityDocument {
    /// The whole document, in Markdown.
    package static var markdown: String {
        let sections = BehaviourTopic.all.map(section)
        return ([introduction] + sections).joined(separator: "\n\n")
    }

    private static let introduction = """
        # What this Apple does as Apple does

        Made by `make fidelity` from `Sources/AppleEmulator/Fidelity`; don't edit it by hand.

        | mark | meaning |
        |---|---|
        | documented | Apple's documentation says it |
        | observed | people pasted what Apple answered, or tested it against Apple |
        | assumed | neither; the likeliest guess |

        A behaviour that is emulated names the tests that would fail if it were not. One that is not says why.
        """

    private static func section(_ topic: BehaviourTopic) -> String {
        let head = """
            ## \(topic.title)

            | behaviour | mark | source | switch | test, or why not |
            |---|---|---|---|---|
            """
        return ([head] + topic.behaviours.map(row)).joined(separator: "\n")
    }

    private static func row(_ behaviour: Behaviour) -> String {
        let sources = behaviour.sources.map { "[\($0.name)](\($0.address))" }
        let cells = [
            behaviour.text,
            behaviour.mark.rawValue,
            sources.joined(separator: ", "),
            behaviour.control ?? "",
            proof(behaviour.emulation),
        ]
        return "| \(cells.map(escaped).joined(separator: " | ")) |"
    }

    private static func proof(_ emulation: Behaviour.Emulation) -> String {
        switch emulation {
        case .tested(let tests): tests.map { "`\($0)`" }.joined(separator: ", ")
        case .missing(let reason): "**not emulated**: \(reason)"
        }
    }

    /// A bar would end the cell.
    private static func escaped(_ text: String) -> String {
        text.replacing("|", with: "\\|")
    }
}
