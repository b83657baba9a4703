import AppleIdentity
import Foundation
import TestSupport
import Testing

/// Acknowledged means durable: a killed server forgets nothing it has said it stored.
@Suite("A killed server", .serialized) struct KillTests {
    private static let signInCount = 100
    private static let signInCountBeforeKill = 40
    private static let concurrentCount = 8

    /// What an app was told.
    private struct Acknowledgement: Sendable {
        let token: String
        let name: String
    }

    @Test("kill -9 during a hundred sign-ins loses no acknowledged account")
    func kill() async throws {
        try await withTemporaryFolder { folder in
            let acknowledged = try await SiwaProcess.with(data: folder) { siwa in
                try await signIn(siwa)
            }
            try await expectKept(acknowledged, folder)
        }
    }

    #if os(Linux)
        @Test("a power cut during a hundred sign-ins loses no acknowledged account")
        func powerCut() async throws {
            try await withTemporaryFolder { folder in
                let tools = folder.appending(path: "tools")
                let data = folder.appending(path: "data")
                for made in [tools, data] {
                    try FileManager.default.createDirectory(
                        at: made,
                        withIntermediateDirectories: true
                    )
                }
                let cut = try await PowerCut(in: tools)
                let acknowledged = try await SiwaProcess.with(
                    data: data,
                    environment: cut.environment
                ) { siwa in
                    try await signIn(siwa)
                }
                try cut.happen(to: data)
                try await expectKept(acknowledged, data)
            }
        }
    #endif

    /// Starts the server again and looks for everybody who was told that they are signed in.
    private func expectKept(_ acknowledged: [Acknowledgement], _ folder: URL) async throws {
        #expect(acknowledged.count >= Self.signInCountBeforeKill)
        try await SiwaProcess.with(data: folder) { siwa in
            for one in acknowledged {
                let app = HTTPCaller(base: siwa.serverForPrograms, token: one.token)
                let answer = try await app.send("GET", "/api/account")
                #expect(answer.status == 200, "\(one.name) was lost: \(answer.text)")
                #expect(answer.object["name"]?.stringValue == one.name)
            }
        }
    }

    /// Which requests are still to be sent, and what came of those that were.
    private actor Ledger {
        private var waiting: ArraySlice<JSONObject>
        private(set) var acknowledged: [Acknowledgement] = []

        init(_ requests: [JSONObject]) {
            waiting = requests[...]
        }

        func next() -> JSONObject? { waiting.popFirst() }

        func add(_ one: Acknowledgement) { acknowledged.append(one) }
    }

    /// Signs people in, several at a time, and pulls the plug in the middle.
    private func signIn(_ siwa: SiwaProcess) async throws -> [Acknowledgement] {
        let ledger = Ledger(try await credentials(siwa))
        let app = HTTPCaller(base: siwa.serverForPrograms)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<Self.concurrentCount {
                group.addTask {
                    while let request = await ledger.next() {
                        // After the kill there is no answer, and nothing was acknowledged.
                        guard let one = try? await Self.signIn(app, request) else { return }
                        await ledger.add(one)
                    }
                }
            }
            group.addTask {
                _ = try await waitUntil("the first sign-ins shall be acknowledged") {
                    await ledger.acknowledged.count >= Self.signInCountBeforeKill ? true : nil
                }
                try await siwa.program.kill()
            }
            try await group.waitForAll()
        }
        return await ledger.acknowledged
    }

    /// A hundred people, each with what their device hands the app.
    private func credentials(_ siwa: SiwaProcess) async throws -> [JSONObject] {
        let control = ControlPort(siwa)
        var requests: [JSONObject] = []
        for number in 1...Self.signInCount {
            let email = "person\(number)@example.com"
            try await control.addPerson(email)
            let device = try await control.credentials(for: email, givenName: "Person\(number)")
            requests.append(try NativeSignInTests.request(from: device, nonce: nil))
        }
        return requests
    }

    private static func signIn(
        _ app: HTTPCaller,
        _ request: JSONObject
    ) async throws -> Acknowledgement? {
        let answer = try await app.send("POST", "/api/sessions/apple", request)
        let account = answer.object["account"]?.objectValue
        guard answer.status == 201, let token = answer.object["token"]?.stringValue,
            let name = account?["name"]?.stringValue
        else {
            Issue.record("a sign-in was refused with \(answer.status): \(answer.text)")
            return nil
        }
        return Acknowledgement(token: token, name: name)
    }
}
