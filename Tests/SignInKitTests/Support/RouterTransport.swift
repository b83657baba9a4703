import AppleIdentity
import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import SignInKit

/// Leads to the accounts server in this process, through whatever network a test wants.
final class RouterTransport: ServerTransport {
    enum Network: Hashable, Sendable {
        case up
        /// Nothing arrives.
        case dead
        /// The requests arrive, their answers are lost.
        case losesAnswers
        /// Something in front of the server answers.
        case answers(status: Int, headers: [String: String] = [:])
    }

    private struct State: Sendable {
        var network = Network.up
        var requests: [ServerRequest] = []
        var delivered: [ServerRequest] = []
        var gate: Signal?
        var isSlow = false
    }

    private let client: any TestClientProtocol
    private let state = LockedValue(State())
    /// Rings when a request waits at the gate.
    let arrival = Signal()

    init(_ client: any TestClientProtocol) {
        self.client = client
    }

    var network: Network {
        get { state.withLock { $0.network } }
        set { state.withLock { $0.network = newValue } }
    }

    /// Whether each request waits for its answer until this is false.
    var isSlow: Bool {
        get { state.withLock { $0.isSlow } }
        set { state.withLock { $0.isSlow = newValue } }
    }

    /// The server's port, where it has one.
    var port: Int? { client.port }

    /// Every request that the app sent, with what it sent.
    var requests: [ServerRequest] { state.withLock { $0.requests } }

    /// How often the app sent a request like this one.
    func count(_ method: String, _ path: String) -> Int {
        requests.count { $0.method == method && $0.url.path() == path }
    }

    /// How many requests like this one reached the server.
    func deliveredCount(_ method: String, _ path: String) -> Int {
        state.withLock { $0.delivered }.count { $0.method == method && $0.url.path() == path }
    }

    /// Holds registrations back until the gate rings.
    func holdRegistrations() -> Signal {
        let gate = Signal()
        state.withLock { $0.gate = gate }
        return gate
    }

    /// Holds no later registration back.
    func openRegistrations() { state.withLock { $0.gate = nil } }

    func send(_ request: ServerRequest) async throws(TransportFailure) -> ServerAnswer {
        let (network, gate) = state.withLock { state in
            state.requests.append(request)
            return (state.network, state.gate)
        }
        if let gate, request.url.path() == "/api/sessions/apple" {
            arrival.send()
            await gate.wait()
        }
        while isSlow { await Task.yield() }
        switch network {
        case .dead: throw .unreachable("the network is dead")
        case .answers(let status, let headers):
            return ServerAnswer(status: status, headers: headers)
        case .losesAnswers:
            _ = try await deliver(request)
            throw .timedOut
        case .up: return try await deliver(request)
        }
    }

    /// A request of a browser, which the app knows nothing of.
    func browse(
        _ method: HTTPRequest.Method,
        _ uri: String,
        headers: HTTPFields,
        body: String = ""
    ) async throws -> TestResponse {
        try await client.execute(
            uri: uri,
            method: method,
            headers: headers,
            body: ByteBuffer(string: body)
        )
    }

    private func deliver(_ request: ServerRequest) async throws(TransportFailure) -> ServerAnswer {
        state.withLock { $0.delivered.append(request) }
        do {
            var headers = HTTPFields()
            for (name, value) in request.headers {
                if let name = HTTPField.Name(name) { headers[name] = value }
            }
            guard let method = HTTPRequest.Method(request.method) else {
                throw TransportFailure.unreachable("no such method")
            }
            let response = try await client.execute(
                uri: request.url.path(),
                method: method,
                headers: headers,
                body: request.body.map { ByteBuffer(bytes: $0) }
            )
            let fields = response.headers.map { ($0.name.canonicalName, $0.value) }
            return ServerAnswer(
                status: response.status.code,
                headers: Dictionary(fields) { $1 },
                body: Data(response.body.readableBytesView)
            )
        } catch {
            throw .unreachable("\(error)")
        }
    }
}
