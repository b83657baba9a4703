import AppleEmulatorServer
import ArgumentParser

/// `siwa emulator env`: what a shell or a container needs to trust the emulator and to find it.
struct EmulatorEnvironmentCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "env",
        abstract: "Print what clients need for --tls; in a shell: eval \"$(siwa emulator env)\".",
        discussion: "Creates the certificate authority if there is none."
    )

    @Option(help: "The output: shell, docker or json.")
    var format = ClientEnvironment.Format.shell

    // The same group as the emulator's own: it reads these options wherever they stand.
    @OptionGroup(title: "The emulator's options")
    var secure: TLSOptions

    func run() throws {
        let port = secure.tlsPort ?? TLSOptions.usualPort
        guard (1...65_535).contains(port) else {
            throw CommandFailure.usage(
                "\(port) is not a port",
                hint: "give the port of the emulator, from 1 to 65535"
            )
        }
        let folder = try TLSOptions.folder(secure.tlsData)
        _ = try TLSOptions.open(folder)
        let environment = ClientEnvironment(folder: folder, host: secure.host, port: port)
        Console().write(environment.text(format))
    }
}

extension ClientEnvironment.Format: ExpressibleByArgument {}
