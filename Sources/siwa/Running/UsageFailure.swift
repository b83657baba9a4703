import ArgumentParser

/// What the parser of arguments refuses, in the form of all errors and with the next right step.
struct UsageFailure {
    /// The parser's own sentence.
    private let sentence: String
    /// The command that it speaks of, as typed: `siwa users`.
    private let path: [String]
    private let command: any ParsableCommand.Type

    /// Reads the parser's sentence, and the line in which it names the command's help.
    init(_ error: any Error, of root: any ParsableCommand.Type) {
        let sentence = root.message(for: error).split(separator: "\n").first ?? "wrong usage"
        self.sentence = sentence.prefix(1).lowercased() + sentence.dropFirst()
        let help = root.fullMessage(for: error).firstMatch(of: /See '([^']*) --help'/)?.output.1
        path = (help ?? "siwa").split(separator: " ").map(String.init)
        command = path.dropFirst().reduce(root) { command, name in
            command.configuration.subcommands.first { $0._commandName == name }
                ?? command
        }
    }

    /// The failure to report.
    var failure: CommandFailure {
        guard let unknown else { return .usage(sentence, hint: help) }
        let place = path.count > 1 ? " of \(path.joined(separator: " "))" : ""
        let guess = Spelling.nearest(to: unknown, among: names).map {
            "did you mean '\((path + [$0]).joined(separator: " "))'? "
        }
        return .usage("there is no command '\(unknown)'\(place)", hint: (guess ?? "") + help)
    }

    private var names: [String] {
        command.configuration.subcommands.map { $0._commandName }
    }

    /// What stands where a command should.
    private var unknown: String? {
        guard !names.isEmpty else { return nil }
        return sentence.wholeMatch(of: /unexpected argument '([^']*)'/).map { String($0.output.1) }
    }

    private var help: String {
        let name = path.joined(separator: " ")
        guard path.count > 1 else {
            return "\(name) alone says what to try, \(name) --help lists the commands"
        }
        return "\(name) --help lists its \(names.isEmpty ? "options" : "commands and options")"
    }
}
