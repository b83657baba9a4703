import Foundation
import JuiceApp

/// Shows pages as plain lines and reads the answers, at a terminal or in a pipe.
@MainActor final class Conversation {
    /// The longest line that is accepted, in bytes.
    nonisolated static let maximumLineByteCount = 4096

    private enum Input: Sendable {
        case line(String)
        case outOfDate(question: Int)
    }

    private let console = Terminal()
    private let isTerminal = isatty(STDIN_FILENO) == 1
    private let inputs: AsyncStream<Input>
    private let continuation: AsyncStream<Input>.Continuation
    private var question = 0
    /// The title of the last page, and the texts that were typed into its fields.
    private var typed = (title: "", values: [String: String]())
    private(set) var hasEnded = false

    init() {
        (inputs, continuation) = AsyncStream.makeStream()
        Thread.detachNewThread { [continuation] in
            while let line = Swift.readLine() { continuation.yield(.line(line)) }
            continuation.finish()
        }
    }

    /// Shows a page, and asks until the answer is one of its actions.
    ///
    /// - Returns: the action and the values of its fields; nil if the page is out of date or the input has ended.
    func ask<Action>(_ page: TerminalPage<Action>) async -> PageAnswer<Action>? {
        question += 1
        if typed.title != page.title { typed = (page.title, [:]) }
        for line in ConversationText.lines(of: page) { console.write(line.text, after: line.start) }
        let choices = page.choices
        let prompt = ConversationText.choose(choices.count)
        guard let index = await choose(choices.map(\.label), prompt) else { return nil }
        var values: [String: String] = [:]
        for field in choices[index].fields {
            guard let value = await ask(field) else { return nil }
            values[field.name] = value
        }
        return PageAnswer(action: choices[index].action, values: values)
    }

    /// Shows that an operation takes time.
    func showBusy() { console.write(JuiceTexts.busy) }

    /// Ends the current question, because its page is out of date.
    func interrupt() {
        if isTerminal { tcflush(STDIN_FILENO, TCIFLUSH) }
        continuation.yield(.outOfDate(question: question))
    }

    /// Shows or hides what is typed at a terminal.
    nonisolated static func setEcho(_ isOn: Bool) {
        var attributes = termios()
        guard tcgetattr(STDIN_FILENO, &attributes) == 0 else { return }
        let echo = tcflag_t(ECHO)
        attributes.c_lflag = isOn ? attributes.c_lflag | echo : attributes.c_lflag & ~echo
        tcsetattr(STDIN_FILENO, TCSADRAIN, &attributes)
    }

    private func ask(_ field: PageField) async -> String? {
        switch field.kind {
        case .secret: return await readLine(after: field.label + ":", isSecret: true)
        case .text:
            let current = typed.values[field.name] ?? field.value
            let prompt = ConversationText.question(field.label, current: TerminalText.line(current))
            let line = await readLine(after: prompt)
            typed.values[field.name] = line.map { ConversationText.value($0, instead: current) }
            return typed.values[field.name]
        case .choice(let options):
            console.write(field.label + ":")
            for (index, option) in options.enumerated() {
                console.write(TerminalText.line(option), after: ConversationText.number(index))
            }
            let prompt = ConversationText.choose(options.count, current: field.value)
            let index = await choose(options, prompt, current: options.firstIndex(of: field.value))
            return index.map { options[$0] }
        }
    }

    /// Asks until the answer is the number or the name of a choice; an empty line is the current one.
    private func choose(_ labels: [String], _ prompt: String, current: Int? = nil) async -> Int? {
        while let line = await readLine(after: prompt) {
            if let current, line.allSatisfy(\.isWhitespace) { return current }
            if let choice = ConversationText.choice(line, of: labels) { return choice }
            console.write(ConversationText.noSuchChoice)
        }
        return nil
    }

    private func readLine(after prompt: String, isSecret: Bool = false) async -> String? {
        while true {
            console.write(prompt + " ", terminator: "")
            if isSecret { Self.setEcho(false) }
            let line = await nextLine()
            if isSecret { Self.setEcho(true) }
            if let line, !isSecret, !isTerminal {
                console.write(TerminalText.line(line))
            } else if line == nil || isSecret {
                console.write("")
            }
            guard let line, line.utf8.count > Self.maximumLineByteCount else { return line }
            console.write(ConversationText.tooLong)
        }
    }

    private func nextLine() async -> String? {
        for await input in inputs {
            switch input {
            case .line(let line): return line
            case .outOfDate(let question): if question == self.question { return nil }
            }
        }
        hasEnded = true
        return nil
    }
}
