import AccountsServer
import ArgumentParser
import SignInWithApple

/// `siwa doctor`: checks of a server's configuration before it starts.
struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract:
            "Check a server's SIWA_… settings, clock, database, and connection to Apple.",
        discussion: "Exits with 1 if a check fails. Sends no code, token or client secret."
    )

    @Option(help: "A YAML or JSON file of SIWA_… settings; the environment overrides it.")
    var config: String?

    @Flag(help: "Print the findings as JSON: one line, indented on a terminal.") var json = false

    func run() async throws {
        let reader = try await ServerSettings.reader(file: config)
        let secretFile = config.flatMap { ServerSettings.hasSecrets(in: $0) ? $0 : nil }
        let report = await AccountsServerDiagnostics(reader: reader, secretFile: secretFile).run()
        let console = Terminal()
        if json {
            console.write(json: report.json)
        } else {
            let conclusion = report.conclusion.split(
                separator: "\n",
                omittingEmptySubsequences: false
            )
            let rows = report.rows + ([""] + conclusion).map { (start: "", advice: String($0)) }
            for row in rows { console.write(row.advice, after: row.start) }
        }
        if report.hasFailure { throw ExitCode(1) }
    }
}
