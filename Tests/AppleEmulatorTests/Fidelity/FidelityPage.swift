/// docs/reference/fidelity.md, drawn from the list of behaviours.
struct FidelityPage {
    let fidelity: Fidelity

    /// The whole document, in Markdown.
    var markdown: String {
        let sections = fidelity.topics.map(section)
        let parts = [Self.introduction, marks, contents] + sections + [definitions]
        return parts.joined(separator: "\n\n") + "\n"
    }

    private static let introduction = """
        # What this Apple does as Apple does

        Made by `make fidelity` from `docs/fidelity.json`; don't edit it by hand.

        An emulated behaviour has a test, whose suite has the id in a comment, and names the switch that changes it, if there is one.
        One that is not emulated says why.
        """

    // MARK: Overview

    private var marks: String {
        let rows = Fidelity.Mark.allCases.map { mark in
            let count = counts(of: fidelity.behaviours.filter { $0.mark == mark })
            return "| \(mark.rawValue) | \(mark.meaning) | \(count) |"
        }
        let head = "| mark | meaning | emulated | not emulated |\n|---|---|---|---|"
        return ([head] + rows).joined(separator: "\n")
    }

    private var contents: String {
        let rows = fidelity.topics.map { topic in
            "| [\(topic.title)](#\(anchor(of: topic.title))) | \(counts(of: topic.behaviours)) |"
        }
        let all = "| all | \(counts(of: fidelity.behaviours)) |"
        let head = "| topic | emulated | not emulated |\n|---|---|---|"
        return ([head] + rows + [all]).joined(separator: "\n")
    }

    private func counts(of behaviours: [Fidelity.Behaviour]) -> String {
        let missing = behaviours.count { $0.notEmulated != nil }
        return "\(behaviours.count - missing) | \(missing)"
    }

    /// A heading's anchor as GitHub makes it.
    private func anchor(of title: String) -> String {
        title.lowercased().filter { $0.isLetter || $0.isNumber || $0 == "-" || $0 == " " }
            .replacing(" ", with: "-")
    }

    // MARK: Topics

    private func section(_ topic: Fidelity.Topic) -> String {
        let head = """
            ## \(topic.title)

            | id | behaviour | mark | source | switch | why not emulated |
            |---|---|---|---|---|---|
            """
        return ([head] + topic.behaviours.map(row)).joined(separator: "\n")
    }

    private func row(_ behaviour: Fidelity.Behaviour) -> String {
        let cells = [
            behaviour.id, behaviour.text, behaviour.mark.rawValue,
            (behaviour.sources ?? []).map { "[\($0)]" }.joined(separator: ", "),
            behaviour.switch ?? "", behaviour.notEmulated ?? "",
        ]
        // A bar would end the cell.
        let escaped = cells.map { $0.replacing("|", with: "\\|") }
        return "| \(escaped.joined(separator: " | ")) |"
    }

    /// The link targets, once for the whole document, to keep its rows short.
    private var definitions: String {
        fidelity.sources.sorted { $0.key < $1.key }
            .map { "[\($0.key)]: \($0.value)" }
            .joined(separator: "\n")
    }
}
