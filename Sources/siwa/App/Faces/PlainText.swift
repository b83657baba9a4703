import Foundation
import JuiceApp

/// A choice of a page that is asked line by line.
struct PlainChoice: Hashable {
    var label: String
    var fields: [PageField]
    var action: Int
}

/// How pages read without a screen.
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

    static let noSuchChoice = "There is no such choice. Type its number or its name."

    /// Asks for one of the numbered choices; one that is there already is kept by an empty line.
    static func choose(_ count: Int, current: String? = nil) -> String {
        let kept = current.map { " [\(TerminalText.line($0))] (Enter keeps it)" } ?? ""
        return "Choose 1-\(count)\(kept):"
    }

    static func question(_ label: String, current: String) -> String {
        current.isEmpty ? label + ":" : "\(label) [\(current)] (Enter keeps it, - empties it):"
    }

    /// The choice that a line means: its number, or its label in any case of letters.
    static func choice(_ line: String, of labels: [String]) -> Int? {
        let text = line.trimmingCharacters(in: .whitespaces)
        if let number = Int(text) { return labels.indices.contains(number - 1) ? number - 1 : nil }
        return labels.firstIndex { $0.lowercased() == text.lowercased() }
    }

    /// What a line puts into a field: nothing keeps what is there, a hyphen empties it.
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
