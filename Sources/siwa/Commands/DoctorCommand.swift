import AccountsServer
import ArgumentParser
import SignInWithApple

/// `siwa doctor`: the configuration of a server, checked before Apple or a person finds the mistake.
struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract:
            "Check a server's SIWA_… settings, its clock, its database, and its connection to Apple.",
        discussion: "Exits with 1 when a check fails. No code, token or client secret is sent."
    )

    @Option(help: "A YAML or JSON file of SIWA_… settings; the environment overrides it.")
    var config: String?

    @Flag(help: "Print the findings as one JSON line.") var json = false

    func run() async throws {
        let reader = try await ServerSettings.reader(file: config)
        let report = await AccountsServerDiagnostics(reader: reader).run()
        Console().write(json ? report.json.text : report.text)
        if report.hasFailure { throw ExitCode(1) }
    }
}
