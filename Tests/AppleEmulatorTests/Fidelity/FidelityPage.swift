/// FIDELITY.md, drawn from the list of behaviours.
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

        A behaviour that is emulated names the tests that would fail if it were not, and the switch that changes it, if there is one.
        One that is not emulated says why. A test is named `Suite.function`; where the suite is left out, it is the one before.
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

            | behaviour | mark | source | switch | test, or why not |
            |---|---|---|---|---|
            """
        return ([head] + topic.behaviours.map(row)).joined(separator: "\n")
    }

    private func row(_ behaviour: Fidelity.Behaviour) -> String {
        let cells = [
            behaviour.text, behaviour.mark.rawValue,
            (behaviour.sources ?? []).map { "[\($0)]" }.joined(separator: ", "),
            behaviour.switch ?? "", proof(behaviour),
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

    private func proof(_ behaviour: Fidelity.Behaviour) -> String {
        if let reason = behaviour.notEmulated { return "**not emulated**: \(reason)" }
        return shortened(behaviour.tests ?? []).map { "`\($0)`" }.joined(separator: ", ")
    }

    /// The tests' names, each suite named once.
    private func shortened(_ tests: [String]) -> [String] {
        var suite: Substring?
        return tests.map { test in
            // A test in Python has its file's name, with a dot inside.
            guard !test.contains("::") else { return test }
            let own = test.prefix { $0 != "." }
            defer { suite = own }
            return own == suite ? String(test.dropFirst(own.count)) : test
        }
    }
}
