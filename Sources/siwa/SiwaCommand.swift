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

    static func main() async {
        await CommandRunner.run(SiwaCommand.self)
    }
}
