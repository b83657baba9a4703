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
        let ports = DemoPorts(
            server: try PortNumber.resolve(port),
            apple: try PortNumber.resolve(applePort, option: "--apple-port"),
            control: try PortNumber.resolve(controlPort, option: "--control-port"),
            smtp: try PortNumber.resolve(smtpPort, option: "--smtp-port")
        )
        let folder = try DemoFolder(path: data)
        try await Demo(ports: ports, folder: folder, isJSON: json, tls: try secure.listener()).run()
    }
}
