import AppleIdentity
import Foundation
import Testing

/// Acknowledged means durable, at whatever moment the process dies.
@Suite("A server that is killed again and again", .serialized) struct RepeatedKillTests {
    private static let killCount = 100
    private static let personCount = 4
    private static let maximumStepCount = 24

    @Test("a hundred kills under load lose no account, name, end of a session or deletion")
    func kills() async throws {
        try await Workplace.withTemporaryFolder { folder in
            var known: [Person] = []
            for round in 0..<Self.killCount {
                try await SiwaProcess.with(data: folder) { siwa in
                    for person in known.suffix(Self.personCount) {
                        try await person.expectKept(siwa, round)
                    }
                    known += try await load(siwa, round)
                }
            }
            try await SiwaProcess.with(data: folder) { siwa in
                for person in known { try await person.expectKept(siwa, Self.killCount) }
            }
        }
    }

    /// Lets people do one thing after another, and kills the server after some answer.
    private func load(_ siwa: SiwaProcess, _ round: Int) async throws -> [Person] {
        let control = ControlPort(siwa)
        var people: [Person] = []
        for number in 0..<Self.personCount {
            let email = "person\(round)-\(number)@example.com"
            try await control.addPerson(email)
            let device = try await control.credentials(for: email, givenName: "Person")
            people.append(Person(try NativeSignInTests.request(from: device, nonce: nil)))
        }
        let answers = Countdown(Int.random(in: 1...Self.maximumStepCount))
        return try await withThrowingTaskGroup(of: Void.self) { [people] group in
            for person in people {
                group.addTask {
                    while await answers.isAboveZero, try await person.step(siwa) {
                        await answers.tick()
                    }
                    // Whoever is done must not keep the kill waiting.
                    await answers.end()
                }
            }
            group.addTask {
                _ = try await waitUntil("some answers shall come") {
                    await answers.isAboveZero ? nil : true
                }
                try await siwa.program.kill()
            }
            try await group.waitForAll()
            return people
        }
    }

    private actor Countdown {
        private var rest: Int

        init(_ count: Int) { rest = count }

        var isAboveZero: Bool { rest > 0 }

        func tick() { rest -= 1 }

        func end() { rest = 0 }
    }

    /// One person, what they were told, and what may have happened besides.
    private actor Person {
        private let request: JSONObject
        private var token: String?
        /// The names that the account may have: the last one acknowledged, and one under way.
        private var names: [String] = []
        private var mayBeGone = false
        private var isGone = false

        init(_ request: JSONObject) { self.request = request }

        /// Takes one step; false after the last one, or when there was no answer.
        func step(_ siwa: SiwaProcess) async throws -> Bool {
            guard !mayBeGone else { return false }
            guard let token else { return try await signIn(siwa) }
            let app = HTTPCaller(base: siwa.serverForPrograms, token: token)
            switch Int.random(in: 0..<8) {
            case 0: return try await leave(app, "/api/account")
            case 1: return try await leave(app, "/api/sessions/current")
            default: return try await rename(app)
            }
        }

        func expectKept(_ siwa: SiwaProcess, _ round: Int) async throws {
            guard let token else { return }
            let app = HTTPCaller(base: siwa.serverForPrograms, token: token)
            let answer = try await app.send("GET", "/api/account")
            guard answer.status == 200 else {
                #expect(mayBeGone && answer.status == 401, "lost before round \(round)")
                // What was found gone must not come back.
                isGone = true
                return
            }
            #expect(!isGone, "came back before round \(round)")
            let name = answer.object["name"]?.stringValue ?? ""
            #expect(names.contains(name), "\(name) before round \(round)")
            // What has been read once has to stay.
            names = [name]
            if mayBeGone { mayBeGone = isGone }
        }

        private func signIn(_ siwa: SiwaProcess) async throws -> Bool {
            let app = HTTPCaller(base: siwa.serverForPrograms)
            guard let answer = try? await app.send("POST", "/api/sessions/apple", request) else {
                return false
            }
            #expect(answer.status == 201, "\(answer.text)")
            token = answer.object["token"]?.stringValue
            names = [try #require(answer.object["account"]?.objectValue?["name"]?.stringValue)]
            return true
        }

        private func rename(_ app: HTTPCaller) async throws -> Bool {
            let name = "Name \(UInt32.random(in: 0 ... .max))"
            names.append(name)
            let answer = try? await app.send("PATCH", "/api/account", ["name": .string(name)])
            guard let answer else { return false }
            #expect(answer.status == 200, "\(answer.text)")
            names = [name]
            return true
        }

        private func leave(_ app: HTTPCaller, _ path: String) async throws -> Bool {
            mayBeGone = true
            guard let answer = try? await app.send("DELETE", path) else { return false }
            #expect(answer.status == 204, "\(answer.text)")
            isGone = true
            return true
        }
    }
}
