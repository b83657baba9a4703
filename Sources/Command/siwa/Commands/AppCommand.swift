import AppleIdentity
import ArgumentParser
import Foundation
import JuiceApp
import SignInKit
import SimulatedAuthenticationServices
import UnixSignals

/// `siwa app`: the sample app as a conversation in plain lines, on a simulated device.
struct AppCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "app",
        abstract: "Open the sample app on a simulated device, on Linux; needs a running siwa demo."
    )

    @Option(help: "The accounts server's URL.") var server = "http://localhost:8080"

    @Option(help: "The URL of the emulator's control port; the device uses it in place of Apple.")
    var control = "http://127.0.0.1:8082"

    @Option(
        help:
            "The email address to fill in if no user is signed in to the device. (default: a new device begins with Maya of the demo)"
    )
    var person: String?

    @Option(help: "The bundle identifier of the app.") var clientID = "com.example.juice"

    @Option(help: "A service; the account page then offers an access token for it.")
    var audience: String?

    @Option(help: "The folder for the data of app and device.") var data = ".siwa/app"

    @Flag(help: "Also offer sign-in through the browser.") var browser = false

    func run() async throws {
        try Self.requireSimulatedDevice()
        let server = try Self.address(server, option: "--server")
        let control = try Self.address(control, option: "--control")
        let folder = try DemoFolder(path: data)
        let hasServer = try await Self.responds(server, path: "/health/live", option: "--server")
        let hasControl = try await Self.responds(control, path: "/switches", option: "--control")
        // A device that was used before works without them, as a phone works without a network.
        guard hasControl || KeptDevice.exists(in: folder) else {
            throw hasServer
                ? Self.silent(control, option: "--control")
                : Self.silent(server, option: "--server")
        }
        let device = SimulatedDevice(control: control, app: ClientID(clientID))
        SimulatedDevice.current = device
        try await open(device, server: server, folder: folder)
    }

    private static func address(_ text: String, option: String) throws -> URL {
        let words = "\(option) \(text) is not a URL"
        return try .server(text, orUsage: words, hint: "give one such as http://localhost:8080")
    }

    /// Requests a path that every running server has, which reports a wrong URL at the start.
    private static func responds(_ url: URL, path: String, option: String) async throws -> Bool {
        guard let status = try? await url.appending(path: path).answer().status else {
            return false
        }
        guard status == 200 else {
            throw CommandFailure(
                "\(url.absoluteString) responds to \(path) with \(status)",
                hint: "use \(option) with the URL that siwa demo prints"
            )
        }
        return true
    }

    private static func silent(_ url: URL, option: String) -> CommandFailure {
        CommandFailure(
            "no server responds at \(url.absoluteString)",
            hint:
                "start siwa demo (or make run) in another terminal, or give the URL with \(option)"
        )
    }

    /// On Apple's systems SignInKit uses Apple's own framework, and a terminal cannot show its sheet.
    private static func requireSimulatedDevice() throws {
        #if canImport(AuthenticationServices)
            throw CommandFailure(
                "siwa app needs the simulated device, which SignInKit uses only on Linux",
                hint: "open Examples/Juice in Xcode instead"
            )
        #endif
    }

    @MainActor
    private func open(_ device: SimulatedDevice, server: URL, folder: DemoFolder) async throws {
        let isNew = !KeptDevice.exists(in: folder)
        let keptDevice = try KeptDevice(device, in: folder)
        if isNew, person == nil { await keptDevice.signInDemoPerson() }
        let client = SignInClient(
            configuration: SignInConfiguration(
                server: server,
                deviceName: "siwa app",
                clientID: ClientID(clientID)
            ),
            authorization: SystemAuthorization(),
            credentials: FileCredentialStore(folder: folder.url.appending(path: "credentials")),
            transport: URLSessionTransport()
        )
        let conversation = Conversation()
        let settings = DeviceSettings(
            conversation: conversation,
            keptDevice: keptDevice,
            offering: person ?? ""
        )
        device.sheet = settings
        let session = AppSession(
            model: JuiceModel(
                session: SignInSession(client: client),
                browser: browser ? TerminalBrowser(conversation) : nil
            ),
            keptDevice: keptDevice,
            conversation: conversation,
            settings: settings,
            audience: audience
        )
        let ending = Task { await Self.endAtSignals() }
        defer { ending.cancel() }
        await session.run(setsUpDevice: person != nil)
    }

    /// Ends the program at Control-C, with the terminal's echo on.
    private static func endAtSignals() async {
        for await signal in await UnixSignalsSequence(trapping: .sigint, .sigterm, .sighup) {
            Conversation.setEcho(true)
            Foundation.exit(signal.rawValue + 128)
        }
    }
}
