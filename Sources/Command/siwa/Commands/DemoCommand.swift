import AppleEmulatorServer
import ArgumentParser

/// `siwa demo`: the emulator and an accounts server, seeded and configured for each other.
struct DemoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract: "Start the Apple emulator and an accounts server that uses it."
    )

    @Option(help: "The folder for the database, the sealing key and the emulator's state.")
    var data = DemoFolder.usualPath

    @Option(help: "The accounts server's port; 0 picks a free one.") var port = 8080

    @Option(help: "The port of the emulated Apple; 0 picks a free one.") var applePort = 8081

    @Option(help: "The control port, for tests and the console; 0 picks a free one.")
    var controlPort = 8082

    @Option(help: "The port of the mail relay; 0 picks a free one.") var smtpPort = 8025

    @OptionGroup(title: "Apple's host names over TLS")
    var secure: TLSOptions

    @Flag(help: "Print the URLs and ports as one JSON line when ready.") var json = false

    func run() async throws {
        let own = [
            WantedPort(port, "--port"), WantedPort(applePort, "--apple-port"),
            WantedPort(controlPort, "--control-port"), WantedPort(smtpPort, "--smtp-port"),
        ]
        var listener = try secure.listener()
        let found = try PortNumber.resolve(own + secure.wantedPorts)
        listener?.port = found[own.count]
        let ports = DemoPorts(server: found[0], apple: found[1], control: found[2], smtp: found[3])
        let folder = try DemoFolder(path: data)
        try await Demo(ports: ports, folder: folder, isJSON: json, tls: listener).run()
    }
}
