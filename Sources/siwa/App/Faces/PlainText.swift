import Foundation
import JuiceApp

/// A choice of a page, for line-by-line prompts.
struct PlainChoice: Hashable {
    var label: String
    var fields: [PageField]
    var action: Int
}

/// The text of pages in line-by-line prompts.
enum PlainText {
    static func lines(of page: Page<Int>) -> [String] {
        let speaker = page.speaker == .app ? "" : PageSpeaker.deviceName + ": "
        var lines = ["", "== \(speaker)\(TerminalText.line(page.title)) =="]
        if let problem = page.problem {
            lines.append(TerminalText.line("Problem: \(problem.sentence) \(problem.nextStep)"))
        }
        if let notice = page.notice { lines.append(TerminalText.line(notice)) }
        var number = 0
        for item in page.items {
            switch item {
            case .text(let text), .note(let text), .heading(let text):
                lines.append(TerminalText.line(text))
            case .fact(let label, let value): lines.append(TerminalText.line("\(label): \(value)"))
            case .action(let label, _), .form(_, let label, _):
                number += 1
                lines.append("\(number). \(TerminalText.line(label))")
            }
        }
        return lines
    }

    static let noSuchChoice = "That is not one of the choices. Type the number or the name of one."

    /// The prompt for a numbered choice; an empty line keeps the current one.
    static func choose(_ count: Int, current: String? = nil) -> String {
        let kept = current.map { " [\(TerminalText.line($0))] (Enter keeps it)" } ?? ""
        return "Choose 1-\(count)\(kept):"
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

extension Page<Int> {
    var choices: [PlainChoice] {
        items.compactMap { item in
            switch item {
            case .action(let label, let action):
                PlainChoice(label: label, fields: [], action: action)
            case .form(let fields, let label, let action):
                PlainChoice(label: label, fields: fields, action: action)
            case .text, .heading, .fact, .note: nil
            }
        }
    }
}
