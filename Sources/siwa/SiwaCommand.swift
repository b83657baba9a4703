import ArgumentParser

/// The one executable: each command parses its arguments, calls one function and reports.
@main
struct SiwaCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "siwa",
        abstract: "Sign in with Apple: an accounts server, and an Apple emulator for tests.",
        version: Version.current,
        subcommands: [
            DemoCommand.self, ServeCommand.self, EmulatorCommand.self, AppCommand.self,
            SecretCommand.self, ExplainCommand.self, DoctorCommand.self, CheckCommand.self,
            UsersCommand.self, DatabaseCommand.self, AuditCommand.self, HealthCommand.self,
        ]
    )

    /// What somebody may try who knows no command yet.
    private static let guide = """
        siwa \(Version.current): Sign in with Apple, whole, and an Apple to test it with.

          siwa demo          an accounts server with an Apple of its own: open http://localhost:8080
          siwa app           the sample app on a simulated device, in a second terminal beside the demo
          siwa emulator      an Apple for your own server and its tests, in place of https://appleid.apple.com
          siwa check URL     attacks your server's web sign-in, and says what to fix

        siwa --help lists all commands, siwa COMMAND --help the options of one.
        """

    func run() async throws { Console().write(Self.guide) }

    static func main() async { await CommandRunner.run(SiwaCommand.self) }
}
