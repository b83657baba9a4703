import AppleIdentity
import Foundation
import TestSupport
import Testing

/// Acknowledged changes are durable whenever the process is killed or the power fails.
@Suite("A server that is killed again and again", .serialized) struct RepeatedKillTests {
    /// `make nightly` sets a hundred.
    private static let killCount =
        ProcessInfo.processInfo.environment["SIWA_TEST_KILLS"].flatMap(Int.init) ?? 12
    private static let personCount = 4
    /// The number of responses after which the kill happens at the latest, unless all users are done.
    private static let maximumStepCount = 16

    @Test("kills under load lose no account, name, end of a session or deletion")
    func kills() async throws {
        try await withTemporaryFolder { folder in
            var known: [Person] = []
            for round in 0..<Self.killCount {
                try await SiwaProcess.with(data: folder) { siwa in
                    for person in known.suffix(Self.personCount) {
                        try await person.expectKept(siwa, round)
                    }
                    let count = Int.random(in: 1...Self.maximumStepCount)
                    known += try await load(siwa, round, Self.personCount, killAfter: count)
                }
            }
            try await SiwaProcess.with(data: folder) { siwa in
                for person in known { try await person.expectKept(siwa, Self.killCount) }
            }
        }
    }

    @Test("one kill during a hundred sign-ins loses none that was acknowledged")
    func hundredSignIns() async throws {
        try await withTemporaryFolder { folder in
            let people = try await SiwaProcess.with(data: folder) {
                try await load($0, 0, 40, killAfter: 100)
            }
            try await SiwaProcess.with(data: folder) { siwa in
                for person in people {
                    #expect(await person.isSignedIn)
                    try await person.expectKept(siwa, 1)
                }
            }
        }
    }

    #if os(Linux)
        @Test("a power cut under load loses nothing that was acknowledged")
        func powerCut() async throws {
            try await withTemporaryFolder { folder in
                let data = folder.appending(path: "data")
                try FileManager.default
                    .createDirectory(at: data, withIntermediateDirectories: true)
                let cut = try await PowerCut(in: folder.appending(path: "tools"))
                let people = try await SiwaProcess.with(data: data, environment: cut.environment) {
                    try await load($0, 0, 40, killAfter: 100)
                }
                try cut.happen(to: data)
                try await SiwaProcess.with(data: data) { siwa in
                    for person in people {
                        #expect(await person.isSignedIn)
                        try await person.expectKept(siwa, 1)
                    }
                }
            }
        }
    #endif

    /// Lets users take one step after another, and kills the server after a response.
    private func load(
        _ siwa: SiwaProcess,
        _ round: Int,
        _ personCount: Int,
        killAfter stepCount: Int
    ) async throws -> [Person] {
        let control = ControlPort(siwa)
        var people: [Person] = []
        for number in 0..<personCount {
            let email = "person\(round)-\(number)@example.com"
            try await control.addPerson(email)
            let device = try await control.credentials(for: email, givenName: "Person\(number)")
            people.append(Person(try HTTPCaller.request(from: device), "Person\(number)"))
        }
        let answers = Countdown(stepCount)
        try await withThrowingTaskGroup(of: Bool.self) { [people] group in
            for person in people {
                group.addTask {
                    while await !answers.isOver, await person.step(siwa) {
                        guard await answers.tick() else { continue }
                        // At once: an answer that came before its commit is lost only now, while the
                        // requests of the others are under way.
                        try await siwa.program.kill()
                        return true
                    }
                    return false
                }
            }
            while let hasKilled = try await group.next() {
                // A request to a stopped server would wait for it.
                if hasKilled { group.cancelAll() }
            }
        }
        if await !answers.isOver { try await siwa.program.kill() }
        return people
    }

    private actor Countdown {
        private var rest: Int

        init(_ count: Int) { rest = count }

        var isOver: Bool { rest <= 0 }

        /// Counts a response; true for the last one.
        func tick() -> Bool {
            rest -= 1
            return rest == 0
        }
    }

    /// A user, the acknowledged changes, and those that may have happened.
    private actor Person {
        private let request: JSONObject
        private let firstName: String
        private var token: String?
        /// The names that the account may have: the last acknowledged one, and a pending one.
        private var names: [String] = []
        /// Whether a deletion was requested; only a 204 confirms it.
        private var mayBeGone = false
        private var isGone = false
        /// Whether a finding was reported already; its consequences are no further findings.
        private var isWrong = false

        init(_ request: JSONObject, _ firstName: String) {
            self.request = request
            self.firstName = firstName
        }

        var isSignedIn: Bool { token != nil }

        /// Takes one step; false after the last one, or without a response.
        func step(_ siwa: SiwaProcess) async -> Bool {
            guard !mayBeGone, !isWrong else { return false }
            guard let token else { return await signIn(siwa) }
            let app = HTTPCaller(base: siwa.serverForPrograms, token: token)
            switch Int.random(in: 0..<8) {
            case 0: return await leave(app, "/api/account")
            case 1: return await leave(app, "/api/sessions/current")
            default: return await rename(app)
            }
        }

        func expectKept(_ siwa: SiwaProcess, _ round: Int) async throws {
            guard let token, !isWrong else { return }
            let app = HTTPCaller(base: siwa.serverForPrograms, token: token)
            let answer = try await app.send("GET", "/api/account")
            switch answer.status {
            case 200 where isGone: find("came back before round \(round)")
            case 200: expectName(answer.object["name"]?.stringValue ?? "", round)
            // A missing account must stay missing.
            case 401 where mayBeGone: isGone = true
            default: find("lost before round \(round): \(answer.status)")
            }
        }

        private func expectName(_ name: String, _ round: Int) {
            guard names.contains(name) else {
                return find("another name before round \(round): \(name)")
            }
            // A value that was read once must stay.
            names = [name]
            mayBeGone = false
        }

        private func find(_ words: String) {
            isWrong = true
            Issue.record(Comment(rawValue: words))
        }

        /// The response if it has the status; another status is a finding.
        private func send(
            _ app: HTTPCaller,
            _ method: String,
            _ path: String,
            _ object: JSONObject? = nil,
            expecting status: Int
        ) async -> HTTPCaller.Answer? {
            guard let answer = try? await app.send(method, path, object) else { return nil }
            guard answer.status == status else {
                find("refused with \(answer.status): \(method) \(path): \(answer.text)")
                return nil
            }
            return answer
        }

        private func signIn(_ siwa: SiwaProcess) async -> Bool {
            let app = HTTPCaller(base: siwa.serverForPrograms)
            let path = "/api/sessions/apple"
            guard let answer = await send(app, "POST", path, request, expecting: 201) else {
                return false
            }
            guard let token = answer.object["token"]?.stringValue,
                let name = answer.object["account"]?.objectValue?["name"]?.stringValue,
                name.hasPrefix(firstName + " ")
            else {
                find("a sign-in without token or with another name: \(answer.text)")
                return false
            }
            self.token = token
            names = [name]
            return true
        }

        private func rename(_ app: HTTPCaller) async -> Bool {
            let name = "Name \(UInt32.random(in: 0 ... .max))"
            names.append(name)
            let body: JSONObject = ["name": .string(name)]
            guard await send(app, "PATCH", "/api/account", body, expecting: 200) != nil else {
                return false
            }
            names = [name]
            return true
        }

        private func leave(_ app: HTTPCaller, _ path: String) async -> Bool {
            mayBeGone = true
            guard await send(app, "DELETE", path, expecting: 204) != nil else { return false }
            isGone = true
            return true
        }
    }
}
