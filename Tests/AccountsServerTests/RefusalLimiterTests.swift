import AppleEmulatorTesting
import AppleIdentity
import Foundation
import HTTPTypes
import HummingbirdTesting
import PrometheusMetrics
import ServerTestSupport
import SignInWithApple
import Testing

@testable import Accounts
@testable import AccountsServer

@Suite("A flood of refused requests")
struct RefusalLimiterTests {
    private let clock = ManualTime()
    private let network = ClientNetwork("192.0.2.1")

    @Test("waits after the burst, then continues at its rate")
    func rate() {
        let limiter = RefusalLimiter(time: clock.source)
        for _ in 0..<RefusalLimiter.burst { #expect(limiter.refuse(network) == nil) }
        #expect(limiter.begin(network) == 1)
        clock.advance(bySeconds: 1)
        var answered = 0
        while limiter.refuse(network) == nil, answered < 1000 { answered += 1 }
        #expect(answered == Int(RefusalLimiter.perSecond))
        clock.advance(bySeconds: 3600)
        #expect(limiter.begin(network) == nil)
    }

    @Test(
        "does not include right requests, as many as passwords may wait, and more one after another"
    )
    func rightRequests() {
        let limiter = RefusalLimiter(time: clock.source)
        for _ in 0..<RefusalLimiter.maximumUnfinishedCount {
            #expect(limiter.begin(network) == nil)
        }
        #expect(limiter.begin(network) == 1)
        for _ in 0..<1000 {
            limiter.end(network, isRefused: false)
            #expect(limiter.begin(network) == nil)
        }
        #expect(RefusalLimiter.maximumUnfinishedCount > PasswordQueue.maximumCount)
    }

    @Test("counts requests to Apple before they are made, and gives back those that succeed")
    func reservations() {
        let limiter = RefusalLimiter(time: clock.source)
        for _ in 0..<RefusalLimiter.burst { #expect(limiter.reserve(network) == nil) }
        for _ in 0..<1000 {
            #expect(limiter.reserve(network) == 1 && limiter.begin(network) == 1)
            limiter.giveBack(network)
            #expect(limiter.reserve(network) == nil)
        }
    }

    @Test("on 200 connections gets as many responses as one after another, and one wave more")
    func parallel() {
        let limiter = RefusalLimiter(time: clock.source)
        var count = 0
        for _ in 0..<150 {
            let begun = (0..<200).count { _ in limiter.begin(network) == nil }
            for _ in 0..<begun { limiter.end(network, isRefused: true) }
            count += begun
            clock.advance(bySeconds: 0.1)
        }
        let rate = Int(RefusalLimiter.perSecond) * 15
        #expect(count <= RefusalLimiter.burst + rate + RefusalLimiter.maximumUnfinishedCount)
    }

    @Test("is logged once a second, with the number of unlogged requests")
    func log() {
        let limited = CountedRefusals(
            PrometheusMetrics(descriptions: MetricsCatalogue.descriptions)
        )
        #expect(limited.count(now: clock.now) == 0)
        for _ in 0..<5 { #expect(limited.count(now: clock.now) == nil) }
        clock.advance(bySeconds: CountedRefusals.logInterval)
        #expect(limited.count(now: clock.now) == 5)
        clock.advance(bySeconds: -86_400)
        #expect(limited.count(now: clock.now) == 0)
    }

    @Test("delays no other network")
    func others() {
        let limiter = RefusalLimiter(time: clock.source)
        for _ in 0..<1000 { _ = limiter.refuse(network) }
        // One of three may share the bucket by chance, which one network in 32 768 does.
        let waiting = ["192.0.2.2", "198.51.100.1", "2001:db8:1:200::"].filter {
            limiter.begin(ClientNetwork($0)) != nil
        }
        #expect(waiting.count < 3)
    }

    @Test("is not blocked for longer when the clock is set back")
    func clockSetBack() {
        let limiter = RefusalLimiter(time: clock.source)
        for _ in 0..<RefusalLimiter.burst { _ = limiter.refuse(network) }
        clock.advance(bySeconds: -86_400)
        #expect(limiter.begin(network) == nil)
    }

    @Test("costs no verification any more, and does not affect other users' sign-ins")
    func flood() async throws {
        let trusted = try TrustedProxies(["127.0.0.1"])
        try await withAccountsServer({ $0.trustedProxies = trusted }, setup: .live) { server in
            let name = try #require(HTTPField.Name("X-Forwarded-For"))
            var flood = HTTPFields.json
            flood[name] = "203.0.113.7"
            let bad = #"{"identityToken":"e30.e30.e30","authorizationCode":"c"}"#
            var statuses: [Int: Int] = [:]
            for _ in 0..<(2 * RefusalLimiter.burst) {
                let path = "/api/sessions/apple"
                let answer = try await server.send(.post, path, flood, body: bad)
                statuses[answer.status.code, default: 0] += 1
                if answer.status == .tooManyRequests {
                    #expect(answer.headers[.retryAfter] == "1")
                    #expect(answer.headers[try #require(HTTPField.Name("X-Request-ID"))] != nil)
                    #expect(answer.code == "too_many_attempts")
                }
            }
            #expect(statuses == [401: RefusalLimiter.burst, 429: RefusalLimiter.burst])
            // The clock stands still: one line reports all limited requests.
            let lines = server.log.text.split(separator: "\n")
            #expect(lines.count { $0.contains("too_many_attempts") } == 1)
            let told = lines.count {
                $0.contains(" request ") && $0.contains("/api/sessions/apple")
            }
            #expect(told == RefusalLimiter.burst)
            let credential = try await server.apple.credentials()
            let good = #"{"identityToken":"\#(credential.identityToken)"}"#
            var other = HTTPFields.json
            other[name] = "198.51.100.9"
            let answer = try await server.send(.post, "/api/sessions/apple", other, body: good)
            #expect(answer.status == .created, "\(answer.text)")
            let reading = try await server.send(.get, "/health/live", flood)
            #expect(reading.status == .ok, "what is only read is answered all the same")
        }
    }

    @Test(
        "is counted by every method but reading",
        arguments: [HTTPRequest.Method.put, .patch, .delete]
    )
    func methods(_ method: HTTPRequest.Method) async throws {
        let trusted = try TrustedProxies(["127.0.0.1"])
        try await withAccountsServer({ $0.trustedProxies = trusted }, setup: .live) { server in
            let name = try #require(HTTPField.Name("X-Forwarded-For"))
            let flood = [name: "203.0.113.7"] + HTTPFields.json
            var statuses: [Int: Int] = [:]
            for _ in 0..<(2 * RefusalLimiter.burst) {
                let path = "/api/account" + (method == .put ? "/apple" : "")
                let answer = try await server.send(method, path, flood, body: "{}")
                statuses[answer.status.code, default: 0] += 1
            }
            #expect(statuses == [401: RefusalLimiter.burst, 429: RefusalLimiter.burst])
        }
    }

    @Test("counts ten times later on the server's own machine, where a proxy may stand for clients")
    func ownMachine() async throws {
        try await withAccountsServer(setup: .live) { server in
            var statuses: [Int: Int] = [:]
            for _ in 0..<(11 * RefusalLimiter.burst) {
                let answer = try await server.send(.post, "/api/sessions/apple", .json, body: "{}")
                statuses[answer.status.code, default: 0] += 1
            }
            #expect(statuses == [422: 10 * RefusalLimiter.burst, 429: RefusalLimiter.burst])
        }
    }
}

extension RefusalLimiter {
    /// Begins a request and refuses it.
    fileprivate func refuse(_ network: ClientNetwork) -> Int? {
        if let seconds = begin(network) { return seconds }
        end(network, isRefused: true)
        return nil
    }
}
