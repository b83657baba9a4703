import AppleIdentity
import Crypto
import Foundation
import SignedTokens

/// Where the token comes from that is posted to a server's API.
enum TokenSource: Hashable, Sendable {
    /// A device, for an App ID.
    case device(app: String)
    /// Apple's popup, for a Services ID.
    case popup

    var words: String {
        switch self {
        case .device: "a token of an app"
        case .popup: "a token of Apple's popup"
        }
    }
}

/// What an app or a page posts to a server's API.
struct PostedCredential: Sendable {
    var token: String
    var code = ""
    var redirectURI = ""
    /// The nonce in the form in which the server issued it.
    var nonce = ""
}

/// A request that the server accepts, and how its response differs from a refusal.
struct AcceptedRequest: Sendable {
    let source: TokenSource
    let form: APIContext.NonceForm
    /// The JSON members of every response to a genuine token.
    let members: Set<String>
    /// Whether the response to an invalid token and code is different.
    let isClear: Bool

    func accepts(_ reply: WebAnswer) -> Bool { Self.accepts(reply, members) }

    /// Some servers respond with 200 to everything, and name an error in the body.
    static func accepts(_ reply: WebAnswer, _ members: Set<String>) -> Bool {
        reply.status < 300 && members.isSubset(of: Self.members(of: reply))
    }

    static func members(of reply: WebAnswer) -> Set<String> {
        let object = try? JSONObject(parsing: reply.body)
        return Set((object?.members ?? []).filter { !$0.value.isNull }.map(\.name))
    }
}

/// What shows that the server used the token of an accepted attack, not only its code.
enum AttackProof {
    /// The acceptance itself: the whole request must be refused.
    case acceptance
    /// The victim's address in the response, because the code is the attacker's.
    case victimsAddress
    /// The refusal of an invalid token with a valid code.
    case otherToken
}

/// The facts that a run has learnt about the server's API from ordinary sign-ins.
struct APIContext: Sendable {
    /// The relation of the token's nonce to the server's.
    enum NonceForm: CaseIterable { case hash, same }

    let target: CheckTarget
    let request: CheckRequest
    let client: WebClient
    let apple: EmulatedApple
    let time: TimeSource
    /// The sign-in in a browser, whose client popups use; nil if it is not examined.
    let web: CheckContext?
    let victim: CheckPerson
    let attacker: CheckPerson
    /// The server's accepted requests, one for each source of tokens.
    private(set) var accepted: [AcceptedRequest] = []

    /// Signs in with each kind of token as apps do; nil if no API is named.
    init?(
        _ target: CheckTarget,
        client: WebClient,
        apple: EmulatedApple,
        time: TimeSource,
        web: CheckContext?
    ) async throws(CheckError) {
        var sources = target.nativeClient.map { [TokenSource.device(app: $0)] } ?? []
        if web != nil, target.nonces != nil { sources.append(.popup) }
        guard let request = target.tokenSignIn, !sources.isEmpty else { return nil }
        (self.target, self.request, self.client) = (target, request, client)
        (self.apple, self.time, self.web) = (apple, time, web)
        (victim, attacker) = (CheckPerson("victim"), CheckPerson("attacker"))
        if let app = target.nativeClient { try await apple.requireApp(app) }
        for person in [victim, attacker] { try await apple.add(person) }
        for source in sources { try await learn(source) }
    }

    /// Finds the request that the server accepts with a genuine token.
    private mutating func learn(_ source: TokenSource) async throws(CheckError) {
        let forms = target.nonces == nil ? [NonceForm.hash] : NonceForm.allCases
        var (refused, unclear): (WebAnswer?, AcceptedRequest?) = (nil, nil)
        for form in forms {
            let first = try await send(credential(of: victim, source, form))
            let second = try await send(credential(of: victim, source, form))
            guard AcceptedRequest.accepts(first, []), AcceptedRequest.accepts(second, []) else {
                refused = refused ?? first
                continue
            }
            let found = try await acceptedRequest(source, form, first, second)
            guard !found.isClear else { return accepted.append(found) }
            unclear = unclear ?? found
        }
        if let unclear { return accepted.append(unclear) }
        let words = refused.map { "\($0.status) \(Substring($0.text.unicodeScalars.prefix(200)))" }
        throw CheckError(
            "\(request.method) \(request.url.absoluteString) refused \(source.words): \(words ?? "")",
            hint: "give --api the body that the server expects, with {identityToken}, {code},"
                + " {redirectURI} and {nonce}; with --nonces if the server issues nonces"
        )
    }

    /// Compares two responses to genuine tokens with the response to an invalid token and code.
    private func acceptedRequest(
        _ source: TokenSource,
        _ form: NonceForm,
        _ first: WebAnswer,
        _ second: WebAnswer
    ) async throws(CheckError) -> AcceptedRequest {
        // The response to a user's first sign-in may have members that later ones lack.
        let members = AcceptedRequest.members(of: first)
            .intersection(AcceptedRequest.members(of: second))
        var invalid = try await credential(of: attacker, source, form)
        (invalid.token, invalid.code) = ("no token", "no code")
        let reply = try await send(invalid)
        return AcceptedRequest(
            source: source,
            form: form,
            members: members,
            isClear: !AcceptedRequest.accepts(reply, members)
        )
    }

    // MARK: Requests

    /// A credential that Apple issues; each has a new nonce of the server, if it issues them.
    ///
    /// Without a form the token has no nonce.
    func credential(
        of person: CheckPerson,
        _ source: TokenSource,
        _ form: NonceForm?,
        nonce given: String? = nil,
        for otherClient: String? = nil,
        switches: JSONObject? = nil
    ) async throws(CheckError) -> PostedCredential {
        var issued = given
        if issued == nil, form != nil { issued = try await issuedNonce() }
        let nonce = issued.map { form == .same ? $0 : Self.hash(of: $0) }
        switch source {
        case .device(let app):
            let made = try await apple.credentials(
                of: person.email,
                for: otherClient ?? app,
                nonce: nonce,
                switches: switches
            )
            return PostedCredential(
                token: made["identity_token"]?.stringValue ?? "",
                code: made["authorization_code"]?.stringValue ?? "",
                nonce: issued ?? ""
            )
        case .popup:
            guard let web else { return PostedCredential(token: "") }
            var visit = web.newVisit()
            try await visit.begin()
            var request = visit.request
            if let otherClient { request["client_id"] = otherClient }
            request["nonce"] = nonce
            (request["code_challenge"], request["code_challenge_method"]) = (nil, nil)
            (request["response_type"], request["response_mode"]) = ("code id_token", "form_post")
            request["state"] = CheckPerson.letters(16)
            let answer = try await visit.askApple(apple, request, as: person, switches: switches)
            return PostedCredential(
                token: answer.identityToken ?? "",
                code: answer.code ?? "",
                redirectURI: request["redirect_uri"] ?? "",
                nonce: issued ?? ""
            )
        }
    }

    func send(_ credential: PostedCredential) async throws(CheckError) -> WebAnswer {
        let reply = try await client.send(
            request.filled([
                "identityToken": credential.token, "token": credential.token,
                "code": credential.code, "redirectURI": credential.redirectURI,
                "nonce": credential.nonce,
            ])
        )
        guard !reply.isOverload else {
            throw .overload("\(request.method) \(request.url.absoluteString)", reply.status)
        }
        return reply
    }

    /// A nonce of the server; nil if it issues none.
    func issuedNonce() async throws(CheckError) -> String? {
        guard let nonces = target.nonces else { return nil }
        let answer = try await client.send(nonces.web)
        guard answer.status < 300, let object = try? JSONObject(parsing: answer.body),
            let nonce = object["nonce"]?.stringValue
        else {
            throw CheckError(
                "\(nonces.method) \(nonces.url.absoluteString) responded with \(answer.status) and no nonce",
                hint: "give --nonces the request whose response is JSON with the member nonce"
            )
        }
        return nonce
    }

    private static func hash(of nonce: String) -> String {
        Hexadecimal.encode(Array(SHA256.hash(data: Data(nonce.utf8))))
    }

    // MARK: Verdicts

    /// Whether the response is like those to genuine tokens of the source.
    func accepts(_ reply: WebAnswer, _ source: TokenSource) -> Bool {
        accepted.contains { $0.source == source && $0.accepts(reply) }
    }

    /// Sends what the server must refuse, for each source of tokens.
    func expectRefusals(
        _ proof: AttackProof = .otherToken,
        _ attacks: (TokenSource, NonceForm) async throws(CheckError) -> [PostedCredential]
    ) async throws(CheckError) -> Finding {
        var words = ""
        for usual in accepted where usual.isClear {
            for credential in try await attacks(usual.source, usual.form) {
                let reply = try await send(credential)
                guard !usual.accepts(reply) else { return try await failure(usual, reply, proof) }
                words = "responded with \(reply.status)"
            }
            // A refusal counts only if a genuine token is accepted right afterwards.
            let control = try await send(credential(of: victim, usual.source, usual.form))
            guard usual.accepts(control) else {
                throw .noUsualSignIn(": \(usual.source.words) got \(control.status)")
            }
        }
        guard accepted.allSatisfy(\.isClear) else {
            return .notExamined("the server's refusals look like its acceptances")
        }
        guard !words.isEmpty else {
            return .notExamined("the server accepts tokens without a nonce")
        }
        return .holds(words)
    }

    /// The finding about an accepted attack, unless the server does not read the posted token.
    private func failure(
        _ usual: AcceptedRequest,
        _ reply: WebAnswer,
        _ proof: AttackProof
    ) async throws(CheckError) -> Finding {
        let failure = Finding.fails(
            "\(usual.source.words) was accepted: responded with \(reply.status)"
        )
        switch proof {
        case .acceptance: return failure
        case .victimsAddress where reply.text.contains(victim.email): return failure
        case .victimsAddress, .otherToken: break
        }
        var credential = try await credential(of: attacker, usual.source, usual.form)
        credential.token = "no token"
        guard usual.accepts(try await send(credential)) else { return failure }
        return .notExamined("the server does not read the posted token: it uses the code")
    }
}
