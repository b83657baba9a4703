import AppleEmulatorServer
import AppleIdentity
import Foundation

/// The lines that a program prints when it is ready: the URLs and ports of its servers.
struct Announcement: Sendable {
    var server: String?
    var apple: String?
    var control: String?
    var smtp: String?
    var tls: String?
    var certificatePath: String?
    var people: [String] = []
    /// The command that opens the sample app.
    var app: String?
    /// The file of the whole log.
    var log: String?

    func print(asJSON: Bool) {
        let console = Terminal()
        for line in asJSON ? [jsonLine] : lines { console.write(line) }
    }

    private var lines: [String] {
        var lines: [String] = []
        if let server { lines.append("The accounts server   \(server)") }
        if let apple { lines.append("The emulated Apple    \(apple)") }
        if let control { lines.append("Its console and inbox \(control)") }
        if let smtp { lines.append("Its mail relay        \(smtp) (SMTP)") }
        if let tls, let certificatePath {
            lines.append("Apple's host names    \(tls) (TLS), signed by \(certificatePath)")
            lines.append("                      siwa emulator env prints the clients' settings")
        }
        if !people.isEmpty {
            lines.append(
                "Its Apple Accounts    \(people.joined(separator: ", "))   password: apple"
            )
        }
        if let app { lines.append("The sample app        \(app)   in a second terminal") }
        if let log { lines.append("The full log          \(log)") }
        return lines + ["Press Control-C to stop."]
    }

    private var jsonLine: String {
        var object: JSONObject = ["event": "ready"]
        for (name, text) in [
            ("server", server), ("apple", apple), ("control", control), ("smtp", smtp),
            ("tls", tls), ("ca", certificatePath), ("log", log),
        ] { object[name] = text.map { .string($0) } }
        return object.text
    }
}

extension Announcement {
    init(_ emulator: EmulatorAddresses, people: [String]) {
        self.init(
            apple: emulator.apple.absoluteString,
            control: emulator.control.absoluteString,
            smtp: emulator.smtp,
            tls: emulator.tls,
            certificatePath: emulator.certificatePath,
            people: people
        )
    }
}
