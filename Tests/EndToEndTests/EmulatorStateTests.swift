import AppleIdentity
import Foundation
import MailTransport
import TestSupport
import Testing

/// The emulator's state survives every end of its process.
@Suite("siwa emulator --data", .serialized, TemporaryFolder.lending) struct EmulatorStateTests {
    private let folder: URL
    init() throws { folder = try TemporaryFolder.lending.value }

    private static let person = "maya@example.com"

    @Test("Consent, tokens and keys survive kill -9") func kill() async throws {
        let data = folder.appending(path: "state")
        let before = try await EmulatorProcess.with(data: data, in: folder) { emulator in
            let credentials = try await emulator.credentials()
            let user = credentials["user"]?.stringValue ?? "none"
            _ = try await waitUntil("the consent should be written") {
                try Self.text(data).contains(user) ? true : nil
            }
            let keys = try await emulator.apple.send("GET", "/auth/keys")
            try await emulator.program.kill()
            return (user: user, keys: keys.text)
        }
        try await EmulatorProcess.with(data: data, in: folder) { emulator in
            #expect(emulator.program.errors.contains("continuing from"))
            let credentials = try await emulator.credentials()
            #expect(credentials["user"]?.stringValue == before.user)
            // Apple sends name and email address only the first time.
            #expect(credentials["full_name"] == nil)
            let keys = try await emulator.apple.send("GET", "/auth/keys")
            #expect(keys.text == before.keys)
        }
    }

    @Test(
        "Random operations and mail, kill -9, and the same state with an empty inbox at each start",
        arguments: [1, 2] as [UInt64]
    )
    func randomOperations(seed: UInt64) async throws {
        let data = folder.appending(path: "state")
        var left: String?
        for round in 0..<3 as Range<UInt64> {
            left = try await EmulatorProcess.with(data: data, in: folder) { emulator in
                if let left {
                    #expect(try Self.text(data) == left)
                    #expect(try await emulator.inbox().object["messages"] == [])
                }
                try await Self.live(with: emulator, seed: seed * 100 + round)
                let inbox = try await emulator.inbox()
                #expect(inbox.object["messages"]?.arrayValue?.isEmpty == false)
                #expect(inbox.object["bounces"]?.arrayValue?.isEmpty == false)
                let kept = try Self.kept(of: try await emulator.exported())
                let text = try await waitUntil("the last change should be written") {
                    let text = try Self.text(data)
                    return try Self.kept(of: text) == kept ? text : nil
                }
                try await emulator.program.kill()
                return text
            }
        }
    }

    /// The sections of an exported state that a folder keeps.
    private static func kept(of exported: String) throws -> [JSONObject.Member] {
        let state = try #require(JSONValue(parsing: Data(exported.utf8)).objectValue)
        let others: Set = [
            "browser_sessions", "faults", "mail", "sent_mail", "mail_bounces", "mail_aliases",
            "mail_counts",
        ]
        return state.members.filter { !others.contains($0.name) }
    }

    /// Does what the seed says, and hands mail to the relay in between.
    private static func live(with emulator: EmulatorProcess, seed: UInt64) async throws {
        var relay = "nobody@privaterelay.appleid.com"
        for (number, request) in RandomControl(seed: seed, count: 150).enumerated() {
            let answer = try await emulator.control.send(request.method, request.path, request.body)
            #expect(answer.status < 500, "\(request): \(answer.text)")
            if let email = answer.object["email"]?.stringValue, email.contains("privaterelay") {
                relay = email
            }
            guard number.isMultiple(of: 10) else { continue }
            let text = "Mail \(seed).\(number)"
            let other = "a@other.example"
            #expect(try await emulator.send(text, from: other, to: person) == nil)
            let refused = try await emulator.send(
                text,
                from: other,
                to: "gone@privaterelay.appleid.com"
            )
            #expect(refused == "smtp_550")
            for sender in ["news@juice.example.com", other] {
                let refusal = try await emulator.send(text, from: sender, to: relay)
                #expect([nil, "smtp_550"].contains(refusal))
            }
        }
    }

    @Test("The last change before the end is saved, and the program exits with 0")
    func stop() async throws {
        let data = folder.appending(path: "state")
        let user = try await EmulatorProcess.with(data: data, in: folder) { emulator in
            let credentials = try await emulator.credentials()
            #expect(try await emulator.program.stop() == 0)
            return credentials["user"]?.stringValue ?? "none"
        }
        #expect(try Self.text(data).contains(user))
        let exported = try await EmulatorProcess.with(data: data, in: folder) { emulator in
            try await emulator.control.require("POST", "/reset", [:])
            return try await emulator.control.send("GET", "/export").text
        }
        #expect(!exported.contains(user))
    }

    @Test("A second emulator on the same folder is refused with a reason") func two() async throws {
        let data = folder.appending(path: "state")
        try await EmulatorProcess.with(data: data, in: folder) { _ in
            let second = try EmulatorProcess.program(data: data, in: folder)
            defer { second.end() }
            #expect(try await second.finish() == 1)
            #expect(second.errors.contains("siwa: another emulator uses \(data.path)\nhint: "))
        }
    }

    @Test(
        "With a damaged or unknown file the program exits with 1, and does not change it",
        arguments: [
            "", "{}", "{\"format\": \"siwa-emulator\", \"version\": 2}",
            "{\"format\": \"siwa-emulator\", \"version\": 1, \"signing_keys\": [",
        ]
    )
    func damaged(text: String) async throws {
        let file = folder.appending(path: "emulator.json")
        try Data(text.utf8).write(to: file)
        let program = try EmulatorProcess.program(data: folder, in: folder)
        defer { program.end() }
        #expect(try await program.finish() == 1)
        #expect(program.errors.contains("emulator.json can't be used: "), "\(program.errors)")
        #expect(try String(contentsOf: file, encoding: .utf8) == text)
    }

    @Test("The demo's emulator keeps the consent after a restart") func demo() async throws {
        let before = try await SiwaProcess.with(data: folder) { siwa in
            let device = try await ControlPort(siwa).credentials(for: Self.person)
            var app = HTTPCaller(base: siwa.serverForPrograms)
            try await app.signIn(device)
            #expect(try await siwa.program.stop() == 0)
            return (user: device["user"], session: app.token)
        }
        try await SiwaProcess.with(data: folder) { siwa in
            let device = try await ControlPort(siwa).credentials(for: Self.person)
            #expect(device["user"] == before.user && device["full_name"] == nil)
            #expect(try await Self.refreshTokenCount(siwa) == 1)
            // The server revokes a token from before the restart.
            let app = HTTPCaller(base: siwa.serverForPrograms, token: before.session)
            #expect(try await app.send("DELETE", "/api/account").status < 300)
            _ = try await waitUntil("the refresh token should be revoked") {
                try await Self.refreshTokenCount(siwa) == 0 ? true : nil
            }
        }
    }

    private static func refreshTokenCount(_ siwa: SiwaProcess) async throws -> Int? {
        let state = try await HTTPCaller(base: siwa.control).require("GET", "/export")
        return state["refresh_tokens"]?.arrayValue?.count
    }

    private static func text(_ data: URL) throws -> String {
        let file = data.appending(path: "emulator.json")
        return (try? String(contentsOf: file, encoding: .utf8)) ?? ""
    }
}

/// A running `siwa emulator` that saves its state.
struct EmulatorProcess: Sendable {
    let program: Program
    let apple: HTTPCaller
    let control: HTTPCaller
    let mail: SMTPTransport

    static func program(data: URL, in folder: URL) throws -> Program {
        let arguments = [
            "emulator", "--json", "--data", data.path, "--port", "0", "--control-port", "0",
            "--smtp-port", "0",
        ]
        return try Program(Workplace.siwa(), arguments: arguments, folder: folder)
    }

    static func with<Result>(
        data: URL,
        in folder: URL,
        _ body: (EmulatorProcess) async throws -> Result
    ) async throws -> Result {
        let program = try program(data: data, in: folder)
        defer { program.end() }
        let ready = try await program.waitForOutput("its addresses", SiwaProcess.readyLine)
        guard let port = ready["smtp"]?.stringValue?.split(separator: ":").last.flatMap({ Int($0) })
        else { throw HarnessError("the ready line has no mail port: \(ready.text)") }
        let process = EmulatorProcess(
            program: program,
            apple: HTTPCaller(base: try ready.address("apple")),
            control: HTTPCaller(base: try ready.address("control")),
            mail: SMTPTransport(to: try SMTPServer("smtp://127.0.0.1:\(port)"))
        )
        return try await body(process)
    }

    /// Sends a mail to the relay.
    ///
    /// - Returns: the code of the refusal; nil if the relay accepted the mail.
    func send(_ text: String, from sender: String, to recipient: String) async throws -> String? {
        let message = MailMessage(
            from: try Mailbox(name: nil, address: sender),
            to: try Mailbox(name: nil, address: recipient),
            subject: text,
            text: text,
            html: text,
            language: "en",
            date: TimeSource.live.now,
            identifier: "\(UInt64.random(in: 0 ... .max))"
        )
        do throws(SMTPFailure) {
            try await mail.send(message)
            return nil
        } catch {
            return error.code
        }
    }

    /// The whole state.
    func exported() async throws -> String { try await control.send("GET", "/export").text }

    /// The mail of all users, and refused mail.
    func inbox() async throws -> HTTPCaller.Answer { try await control.send("GET", "/mail") }

    /// The credentials that Maya's device returns to the app.
    func credentials() async throws -> JSONObject {
        try await control.require(
            "POST",
            "/people/maya@example.com/credentials",
            ["client_id": "com.example.juice", "scopes": ["name", "email"]]
        )
    }
}
