import Foundation
import JuiceApp
import TerminalUI

/// Prompts line by line without escape sequences, for screen readers, pipes and simple terminals.
@MainActor final class PlainFace: Face {
    private let console = Console()
    private let input = LineInput()
    let leaving = Leaving()
    private var lines: [String] = []
    private var reader: CheckedContinuation<String?, Never>?
    private var listening: Task<Void, Never>?
    private var isInputOver = false
    private var isOutOfDate = false

    init() {
        let lines = input.lines
        listening = Task { [weak self] in
            for await line in lines { self?.take(line) }
            self?.endInput()
        }
    }

    func ask(_ page: Page<Int>) async -> PageAnswer<Int>? {
        isOutOfDate = false
        PlainText.lines(of: page).forEach(console.write)
        let choices = page.choices
        while true {
            console.write(PlainText.choose(choices.count))
            guard let line = await readLine() else { return nil }
            if isOutOfDate, input.isTerminal {
                console.write("The page has changed meanwhile. Your answer was ignored.")
                return nil
            }
            if let choice = PlainText.choice(line, of: choices.map(\.label)) {
                return await fill(choices[choice])
            }
            console.write(PlainText.noSuchChoice)
        }
    }

    /// A line typed meanwhile answers the next question, so only quitting cancels the operation.
    func showBusy(_ page: Page<Int>, giveUp: (@MainActor () -> Void)?) {
        if page.choices.isEmpty { PlainText.lines(of: page).forEach(console.write) }
        console.write(giveUp == nil ? JuiceTexts.busy : "Please wait… (Control-C quits.)")
    }

    func interrupt() { isOutOfDate = true }

    func leave() { leaving.leave() }

    func close() { input.setEcho(true) }

    private func fill(_ choice: PlainChoice) async -> PageAnswer<Int>? {
        var values: [String: String] = [:]
        for field in choice.fields {
            guard let value = await ask(field) else { return nil }
            values[field.name] = value
        }
        return PageAnswer(action: choice.action, values: values)
    }

    private func ask(_ field: PageField) async -> String? {
        switch field.kind {
        case .secret:
            console.write(field.label + ":")
            input.setEcho(false)
            defer { input.setEcho(true) }
            return await readLine()
        case .text:
            console.write(PlainText.question(field.label, current: TerminalText.line(field.value)))
            return await readLine().map { PlainText.value($0, instead: field.value) }
        case .choice(let options): return await choose(options, for: field)
        }
    }

    /// Asks until the answer is one of the options, because a mistyped one must not mean the current value.
    private func choose(_ options: [String], for field: PageField) async -> String? {
        console.write(field.label + ":")
        for (index, option) in options.enumerated() {
            console.write("  \(index + 1). \(TerminalText.line(option))")
        }
        while true {
            console.write(PlainText.choose(options.count, current: field.value))
            guard let line = await readLine() else { return nil }
            if line.allSatisfy(\.isWhitespace) { return field.value }
            if let choice = PlainText.choice(line, of: options) { return options[choice] }
            console.write(PlainText.noSuchChoice)
        }
    }

    private func take(_ line: String) {
        guard let reader else {
            lines.append(line)
            return
        }
        self.reader = nil
        reader.resume(returning: line)
    }

    private func endInput() {
        isInputOver = true
        guard let reader else { return }
        self.reader = nil
        leave()
        reader.resume(returning: nil)
    }

    /// Returns the next line; the end of input counts as leaving.
    private func readLine() async -> String? {
        if !lines.isEmpty { return lines.removeFirst() }
        if isInputOver { leave() }
        guard !hasEnded else { return nil }
        return await withCheckedContinuation { reader = $0 }
    }
}
