import AppleEmulatorTesting
import AppleIdentity
import Foundation
import HTTPTypes
import Logging
import ServerTestSupport
import SignInWithApple
import SignedTokens
import Synchronization

/// A transport with scripted responses, which records the requests.
final class ScriptedApple: Sendable {
    struct Answer: Sendable {
        var status = 200
        var fields: HTTPFields = [.contentType: "application/json"]
        var body = Data()
    }

    struct Asked: Sendable {
        let request: HTTPRequest
        let body: Data

        var form: [String: String] {
            let pairs = String(decoding: body, as: UTF8.self).split(separator: "&")
                .map { $0.split(separator: "=", maxSplits: 1).map(String.init) }
            return Dictionary(
                pairs.map { ($0[0], $0.last?.removingPercentEncoding ?? "") },
                uniquingKeysWith: { first, _ in first }
            )
        }
    }

    private struct State {
        var answers: [String: @Sendable () async throws -> Answer] = [:]
        var asked: [Asked] = []
    }

    private let state = Mutex(State())
    let time: ManualTime

    init(time: ManualTime = ManualTime()) { self.time = time }

    /// An Apple of an earlier time, with the keys that it has published then.
    static func real(at time: Date) throws -> ScriptedApple {
        let apple = ScriptedApple(time: ManualTime(now: time))
        let keys = try Fixture.keySet()
        apple.answer(ApplePath.keys) { ScriptedApple.Answer(body: keys) }
        return apple
    }

    var transport: AppleTransport {
        AppleTransport { request, body in
            let answer = self.state.withLock { state in
                state.asked.append(Asked(request: request, body: body))
                return state.answers[request.path ?? ""]
            }
            let answered = try await answer?() ?? Answer(status: 404)
            let response = HTTPResponse(
                status: .init(code: answered.status),
                headerFields: answered.fields
            )
            return .init(head: response, body: answered.body)
        }
    }

    func answer(_ path: String, _ answer: @escaping @Sendable () async throws -> Answer) {
        state.withLock { $0.answers[path] = answer }
    }

    func answer(_ path: String, status: Int = 200, _ text: String) {
        answer(path) { Answer(status: status, body: Data(text.utf8)) }
    }

    func answer(_ path: String, after delay: Duration, _ body: Data = Data()) {
        let source = time.source
        answer(path) {
            try await source.sleep(for: delay)
            return Answer(body: body)
        }
    }

    func publish(_ keys: [JSONWebKey], cacheControl: String? = nil) throws {
        let document = try Self.document(keys)
        answer(ApplePath.keys) {
            var fields: HTTPFields = [.contentType: "application/json;charset=ISO-8859-1"]
            if let cacheControl { fields[.cacheControl] = cacheControl }
            return Answer(fields: fields, body: document)
        }
    }

    static func document(_ keys: [JSONWebKey]) throws -> Data {
        try JSONEncoder().encode(["keys": keys])
    }

    func asked(_ path: String) -> [Asked] {
        state.withLock { $0.asked.filter { $0.request.path == path } }
    }

    func token(keyID: String? = nil, by key: TestKey = .first) throws -> String {
        try TokenDraft(at: time.now, keyID: keyID ?? key.keyID).signed(by: key)
    }

    var keyRequestCount: Int { asked(ApplePath.keys).count }

    func signIn(
        clientIDs: [ClientID] = [TokenDraft.clientID, "com.example.juice.web"],
        key: ClientSecretKey? = nil,
        service: AppleService = .apple
    ) -> AppleSignIn {
        signIn(
            with: .init(
                appIDs: clientIDs.filter { !$0.rawValue.hasSuffix(".web") },
                servicesIDs: clientIDs.filter { $0.rawValue.hasSuffix(".web") },
                key: key,
                service: service,
                logger: .quiet
            )
        )
    }

    func signIn(with configuration: AppleSignIn.Configuration) -> AppleSignIn {
        AppleSignIn(configuration: configuration, transport: transport, time: time.source)
    }
}

extension TestApple {
    func signIn(with configuration: AppleSignIn.Configuration) -> AppleSignIn {
        AppleSignIn(configuration: configuration, transport: transport, time: time.source)
    }
}
