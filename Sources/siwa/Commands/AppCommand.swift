import AppleIdentity
import ArgumentParser
import Foundation
import JuiceApp
import SignInKit
import SimulatedAuthenticationServices
import TerminalUI

/// `siwa app`: the sample app in the terminal, on a simulated device.
struct AppCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "app",
        abstract: "Open the sample app on a simulated device, against a running siwa demo."
    )

    @Option(help: "The accounts server's address.") var server = "http://localhost:8080"

    @Option(help: "The address of the emulator's control port, which the device uses as its Apple.")
    var control = "http://127.0.0.1:8082"

    @Option(help: "Whom to offer when the device is signed in to an Apple Account.")
    var person: String?

    @Option(help: "The bundle identifier of the app.") var clientID = "com.example.juice"

    @Option(help: "The folder of what app and device keep.") var data = ".siwa/app"

    @Flag(help: "Ask line by line: for screen readers, pipes and simple terminals.")
    var plain = false

    @Flag(help: "Offer to sign in with the browser, too.") var browser = false

    func run() async throws {
        try Self.requireSimulatedDevice()
        let server = try Self.address(server, option: "--server")
        let control = try Self.address(control, option: "--control")
        try await Self.check(server, path: "/health/live", option: "--server")
        try await Self.check(control, path: "/switches", option: "--control")
        let folder = try DemoFolder(path: data)
        let device = SimulatedDevice(control: control, app: ClientID(clientID))
        SimulatedDevice.current = device
        try await open(device, server: server, folder: folder)
    }

    private static func address(_ text: String, option: String) throws -> URL {
        let words = "\(option) \(text) is not an address"
        return try .server(text, orUsage: words, hint: "give one such as http://localhost:8080")
    }

    /// Asks for a path that every running server answers, so that a wrong address is told at the start.
    private static func check(_ url: URL, path: String, option: String) async throws {
        guard let status = try? await url.appending(path: path).answer().status else {
            throw CommandFailure(
                "nothing answers at \(url.absoluteString)",
                hint: "start siwa demo (or make run) in another terminal, or give the address with "
                    + option
            )
        }
        guard status == 200 else {
            throw CommandFailure(
                "\(url.absoluteString) answers \(path) with \(status)",
                hint: "give the address that siwa demo prints with \(option)"
            )
        }
    }

    /// Where Apple's own framework is, SignInKit uses that, and no terminal can answer its sheet.
    private static func requireSimulatedDevice() throws {
        #if canImport(AuthenticationServices)
            throw CommandFailure(
                "siwa app needs the simulated device, which SignInKit uses on Linux only",
                hint: "open Examples/Juice in Xcode instead"
            )
        #endif
    }

    @MainActor
    private func open(_ device: SimulatedDevice, server: URL, folder: DemoFolder) async throws {
        let kept = try KeptDevice(device, in: folder)
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
        let face = try Self.face(isPlain: plain)
        let settings = DeviceSettings(face: face, kept: kept, offering: person ?? "")
        device.sheet = settings
        let session = AppSession(
            model: JuiceModel(client: client, browser: browser ? TerminalBrowser(face) : nil),
            kept: kept,
            face: face,
            settings: settings
        )
        await session.run(setsUpDevice: person != nil)
    }

    /// A screen where there is one; a terminal that can't move its cursor, and a pipe, are asked line by line.
    @MainActor
    private static func face(isPlain: Bool) throws -> any Face {
        let isSimple = ["", "dumb"].contains(ProcessInfo.processInfo.environment["TERM"] ?? "")
        guard !isPlain, !isSimple else { return PlainFace() }
        do throws(TerminalFailure) {
            return try FullScreenFace()
        } catch {
            guard error == .notTerminal else {
                throw CommandFailure("can't use the terminal", hint: "try siwa app --plain")
            }
            return PlainFace()
        }
    }
}
