import AsyncHTTPClient
import Foundation
import NIOHTTP1
import Synchronization

/// How many seconds each sign-in and each session check took.
struct WaitingTimes: Sendable {
    var signIns: [Double] = []
    var checks: [Double] = []

    static func += (all: inout WaitingTimes, more: WaitingTimes) {
        all.signIns += more.signIns
        all.checks += more.checks
    }
}

/// One app that signs in users and another one that checks a session, each repeatedly with pauses that leave time for
/// the server and the measurement.
struct WaitingLoad: Sendable {
    private static let pauses = (
        signIns: Duration.milliseconds(10), checks: Duration.milliseconds(2)
    )

    private static let warmUpCount = 20

    private let apple: ServedApple
    private let server: ServerProcess
    private let token: String
    private let people: PersonNumbers

    /// Signs in the user whose session is checked, and repeats both a few times, because connections must be open and
    /// Apple's keys fetched before the measurement.
    init(apple: ServedApple, server: ServerProcess, people: PersonNumbers) async throws {
        (self.apple, self.server, self.people) = (apple, server, people)
        token = try await apple.signIn(person: people.next(1).lowerBound, at: server)
        for _ in 0..<Self.warmUpCount {
            _ = try await signInSeconds()
            _ = try await checkSeconds()
        }
    }

    /// Measures until a body has ended.
    func measure(until body: () async throws -> Void) async throws -> WaitingTimes {
        let end = Ending()
        defer { end.happen() }
        async let signIns = measure(until: end, pause: Self.pauses.signIns) {
            try await signInSeconds()
        }
        async let checks = measure(until: end, pause: Self.pauses.checks) {
            try await checkSeconds()
        }
        try await body()
        end.happen()
        return try await WaitingTimes(signIns: signIns, checks: checks)
    }

    private func measure(
        until end: Ending,
        pause: Duration,
        _ seconds: @Sendable () async throws -> Double
    ) async throws -> [Double] {
        var all: [Double] = []
        while !end.hasHappened {
            all.append(try await seconds())
            try await Task.sleep(for: pause)
        }
        return all
    }

    private func signInSeconds() async throws -> Double {
        let person = await people.next(1).lowerBound
        let request = NativeSignInRequest(
            server: server.url,
            identityToken: try apple.apple.token(person: person)
        )
        return try await ContinuousClock().measure { _ = try await request.send() } / .seconds(1)
    }

    private func checkSeconds() async throws -> Double {
        var request = HTTPClientRequest(url: server.url.absoluteString + "/api/account")
        request.headers.add(name: "Authorization", value: "Bearer \(token)")
        return try await ContinuousClock().measure {
            try await Load.send(request, expecting: 200)
        } / .seconds(1)
    }
}

/// Whether something has happened.
private final class Ending: Sendable {
    private let value = Mutex(false)

    var hasHappened: Bool { value.withLock { $0 } }

    func happen() { value.withLock { $0 = true } }
}
