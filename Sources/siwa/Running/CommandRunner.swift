import ArgumentParser
import Foundation

/// Runs a command and turns whatever it throws into the documented exit codes.
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
        let console = Console()
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
        case ExitCode(1) where error is ExitCode:
            return 1
        default:
            console.report(CommandFailure("\(error)"))
            return 1
        }
    }
}
