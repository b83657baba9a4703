import ArgumentParser

/// The one executable: each command parses its arguments, calls one function and reports.
@main
struct SiwaCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "siwa",
        abstract: "Run an accounts server with Sign in with Apple, and an emulator for tests.",
        version: Version.current,
        subcommands: [
            DemoCommand.self, ServeCommand.self, EmulatorCommand.self, AppCommand.self,
            SecretCommand.self, ExplainCommand.self, DoctorCommand.self, CheckCommand.self,
            UsersCommand.self, DatabaseCommand.self, AuditCommand.self, KeysCommand.self,
            HealthCommand.self,
        ]
    )

    /// The commands to try first.
    private static let guide = """
        siwa \(Version.current): Sign in with Apple for servers and apps, and an emulator of Apple to test it

          siwa demo          starts an accounts server and the emulator: open http://localhost:8080
          siwa app           opens the sample app on a simulated device; keep the demo running in another terminal
          siwa emulator      starts the emulator for your own server, in place of https://appleid.apple.com
          siwa check URL     attacks your server's web sign-in, and reports what to fix

        siwa --help lists all commands; siwa COMMAND --help lists the options of one.
        """

    func run() async throws { Terminal().write(Self.guide) }

    static func main() async { await CommandRunner.run(SiwaCommand.self) }
}
