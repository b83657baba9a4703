import Foundation
import JuiceApp

/// The texts of a conversation: the lines of its pages, its prompts, and what an answer means.
enum ConversationText {
    /// A line; if a terminal breaks it, the other lines are indented by the width of `start`.
    struct Line: Hashable {
        var start = ""
        var text = ""
    }

    static func lines<Action>(of page: TerminalPage<Action>) -> [Line] {
        let title = TerminalText.line("\(page.speaker.name): \(page.title)")
        let problem = page.problem.map { "Problem: \($0.sentence) \($0.nextStep)" }
        var lines = [Line(), Line(text: "== \(title) ==")]
        for message in [problem, page.notice].compactMap(\.self) {
            lines += [Line(text: TerminalText.line(message)), Line()]
        }
        var count = 0
        var hasChoiceBefore = false
        for item in page.items {
            let startsGroup = item.isChoice != hasChoiceBefore || item.isHeading
            if startsGroup, lines.last != Line() { lines.append(Line()) }
            hasChoiceBefore = item.isChoice
            let start = item.isChoice ? number(count) : ""
            if item.isChoice { count += 1 }
            if !item.text.isEmpty {
                lines.append(Line(start: start, text: TerminalText.line(item.text)))
            }
        }
        return lines
    }

    static let noSuchChoice = "That is not one of the choices. Type the number or the name of one."
    static let tooLong =
        "That line is too long. Type at most \(Conversation.maximumLineByteCount) bytes."

    /// The beginning of a numbered choice's line.
    static func number(_ index: Int) -> String { "  \(index + 1). " }

    /// The prompt for a numbered choice; an empty line keeps the current one.
    static func choose(_ count: Int, current: String? = nil) -> String {
        let hint = current.map { " [\(TerminalText.line($0))] (Enter keeps it)" } ?? ""
        return "Choose \(count == 1 ? "1" : "1-\(count)")\(hint):"
    }

    static func question(_ label: String, current: String) -> String {
        current.isEmpty ? label + ":" : "\(label) [\(current)] (Enter keeps it, - clears it):"
    }

    /// The index of the choice whose number or label the line has, ignoring case.
    static func choice(_ line: String, of labels: [String]) -> Int? {
        let text = line.trimmingCharacters(in: .whitespaces)
        if let number = Int(text) { return labels.indices.contains(number - 1) ? number - 1 : nil }
        return labels.firstIndex { $0.lowercased() == text.lowercased() }
    }

    /// The new value of a field: an empty line keeps the current one, a hyphen clears it.
    static func value(_ line: String, instead current: String) -> String {
        let text = TerminalText.line(line).trimmingCharacters(in: .whitespaces)
        return text.isEmpty ? current : text == "-" ? "" : text
    }
}

extension PageItem {
    var isChoice: Bool {
        if case .action = self { true } else { false }
    }

    fileprivate var isHeading: Bool {
        if case .heading = self { true } else { false }
    }

    /// The text of the item; an action with fields has their values, or their labels if they are empty.
    fileprivate var text: String {
        switch self {
        case .text(let text), .heading(let text): return text
        case .fact(let label, let value): return "\(label): \(value)"
        case .action(let label, _, let fields):
            let texts = fields.map { $0.value.isEmpty ? $0.label : "\($0.label): \($0.value)" }
            return texts.isEmpty ? label : "\(label) (\(texts.joined(separator: ", ")))"
        }
    }
}
