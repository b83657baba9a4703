import ArgumentParser
import Foundation
import SignInWithApple
import StrictHTTP

/// Runs a command and turns its errors into the documented exit codes.
///
/// 0 done, 1 refused or failed, 2 wrong usage.
enum CommandRunner {
    static func run<Command: AsyncParsableCommand>(_ command: Command.Type) async {
        do {
            var parsed = try command.parseAsRoot()
            if var asynchronous = parsed as? any AsyncParsableCommand {
                try await asynchronous.run()
            } else {
                try parsed.run()
            }
        } catch {
            exit(report(error, of: command))
        }
    }

    private static func report(_ error: any Error, of command: any ParsableCommand.Type) -> Int32 {
        let console = Terminal()
        if let failure = error as? CommandFailure {
            console.report(failure)
            return failure.exitCode
        }
        switch command.exitCode(for: error) {
        case .success:
            console.write(command.fullMessage(for: error))
            return 0
        case .validationFailure:
            console.report(UsageFailure(error, of: command).failure)
            return 2
        case ExitCode(1) where error is ExitCode: return 1
        default:
            let signInError = error as? SignInError
            let words = ConnectionFailure.words(for: error) ?? "\(error)"
            console.report(CommandFailure(signInError?.message ?? words, hint: signInError?.hint))
            return 1
        }
    }
}

/// Why a command fails: one lower-case line, and a hint about the next step.
struct CommandFailure: Error {
    let message: String
    let hint: String?
    let exitCode: Int32

    init(_ message: String, hint: String? = nil, exitCode: Int32 = 1) {
        self.message = message
        self.hint = hint
        self.exitCode = exitCode
    }

    /// A failure that other arguments fix.
    static func usage(_ message: String, hint: String? = nil) -> CommandFailure {
        CommandFailure(message, hint: hint, exitCode: 2)
    }

    static let noClient = usage(
        "--client-id is missing",
        hint: "give it, or set SIWA_SERVICES_ID or SIWA_CLIENT_IDS"
    )
}

/// An error of the argument parser, in the form of all errors.
struct UsageFailure {
    private let sentence: String
    /// The command that the error is about, as typed: `siwa users`.
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

    var failure: CommandFailure {
        guard let unknown else { return .usage(sentence, hint: help) }
        let place = path.count > 1 ? " of \(path.joined(separator: " "))" : ""
        let guesses = Spelling.nearest(to: unknown, among: names)
            .map { "'\((path + [$0]).joined(separator: " "))'" }
        let question = Spelling.question(guesses).map { $0 + " " } ?? ""
        return .usage("there is no command '\(unknown)'\(place)", hint: question + help)
    }

    private var names: [String] {
        command.configuration.subcommands.map { $0._commandName }
    }

    /// The word that is in the place of a subcommand.
    private var unknown: String? {
        guard !names.isEmpty else { return nil }
        return sentence.wholeMatch(of: /unexpected argument '([^']*)'/).map { String($0.output.1) }
    }

    private var help: String {
        let name = path.joined(separator: " ")
        guard path.count > 1 else {
            return "\(name) without a command shows examples, \(name) --help lists the commands"
        }
        return "\(name) --help lists its \(names.isEmpty ? "options" : "commands and options")"
    }
}

/// Suggestions for misspelt words.
enum Spelling {
    private static let maximumDistance = 2
    private static let maximumGuessCount = 3
    /// The letters of a common beginning; a shorter word must be the beginning itself.
    private static let minimumBeginning = 3

    /// The words that need the fewest changes, or else those with the longest common beginning.
    static func nearest(to typed: String, among words: [String]) -> [String] {
        let changes = words.map { (word: $0, score: -distance(Array(typed), Array($0))) }
            .filter { -$0.score <= min(maximumDistance, typed.count / 2) }
        let beginnings = words.map { (word: $0, score: typed.commonPrefix(with: $0).count) }
            .filter { $0.score >= max(2, min(minimumBeginning, typed.count)) }
        let found = changes.isEmpty ? beginnings : changes
        let best = found.map(\.score).max()
        return found.filter { $0.score == best }.prefix(maximumGuessCount).map(\.word)
    }

    /// The question whether one of some words was meant; nil without words.
    static func question(_ words: [String]) -> String? {
        words.isEmpty ? nil : "did you mean \(TerminalText.listed(words, "or"))?"
    }

    /// The number of letters to change, add, remove or swap with their neighbour.
    private static func distance(_ first: [Character], _ second: [Character]) -> Int {
        var rows = [Array(0...second.count)]
        for row in 1..<(first.count + 1) {
            var current = [row]
            for column in 1..<(second.count + 1) {
                let isSame = first[row - 1] == second[column - 1]
                var best = min(
                    rows[row - 1][column] + 1,
                    current[column - 1] + 1,
                    rows[row - 1][column - 1] + (isSame ? 0 : 1)
                )
                let isSwapped =
                    row > 1 && column > 1 && first[row - 1] == second[column - 2]
                    && first[row - 2] == second[column - 1]
                if isSwapped { best = min(best, rows[row - 2][column - 2] + 1) }
                current.append(best)
            }
            rows.append(current)
        }
        return rows[first.count][second.count]
    }
}
