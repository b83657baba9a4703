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
    /// The server's accepted requests, by the source of the token.
    private(set) var accepted: [(source: TokenSource, form: NonceForm, members: Set<String>)] = []

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
        for person in [victim, attacker] { try await apple.add(person) }
        for source in sources { try await learn(source) }
    }

    /// Finds the request that the server accepts with a genuine token.
    private mutating func learn(_ source: TokenSource) async throws(CheckError) {
        let forms = target.nonces == nil ? [NonceForm.hash] : NonceForm.allCases
        var last: WebAnswer?
        for form in forms {
            let reply = try await send(credential(of: victim, source, form))
            if reply.status < 300 {
                return accepted.append((source, form, Self.members(of: reply)))
            }
            last = last ?? reply
        }
        let words = last.map { "\($0.status) \($0.text.prefix(200))" } ?? ""
        throw CheckError(
            "\(request.method) \(request.url.absoluteString) refused \(source.words): \(words)",
            hint: "give --api the body that the server expects, with {identityToken}, {code},"
                + " {redirectURI} and {nonce}; with --nonces if the server issues nonces"
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

    private static func members(of reply: WebAnswer) -> Set<String> {
        Set((try? JSONObject(parsing: reply.body))?.names ?? [])
    }

    /// Sends what the server must refuse, for each source of tokens.
    func expectRefusals(
        _ attacks: (TokenSource, NonceForm) async throws(CheckError) -> [PostedCredential]
    ) async throws(CheckError) -> Finding {
        var words = ""
        for (source, form, members) in accepted {
            for credential in try await attacks(source, form) {
                let reply = try await send(credential)
                // Some servers respond with 200 to everything, and name an error in the body.
                if reply.status < 300, members.isSubset(of: Self.members(of: reply)) {
                    return try await failure(source, form, reply)
                }
                words = "responded with \(reply.status)"
            }
            // A refusal counts only if a genuine token is accepted right afterwards.
            let control = try await send(credential(of: victim, source, form))
            guard control.status < 300 else {
                throw .noUsualSignIn(": \(source.words) got \(control.status)")
            }
        }
        guard !words.isEmpty else {
            return .notExamined("the server accepts tokens without a nonce")
        }
        return .holds(words)
    }

    /// The finding about an accepted attack, unless the server does not read the posted token.
    private func failure(
        _ source: TokenSource,
        _ form: NonceForm,
        _ reply: WebAnswer
    ) async throws(CheckError) -> Finding {
        let failure = Finding.fails("\(source.words) was accepted: responded with \(reply.status)")
        guard !reply.text.contains(victim.email) else { return failure }
        var credential = try await credential(of: attacker, source, form)
        credential.token = "no token"
        let other = try await send(credential)
        guard other.status < 300 else { return failure }
        return .notExamined("the server does not read the posted token: it uses the code")
    }
}
