import AppleEmulator
import AppleIdentity
import Crypto
import Foundation
import HTTPTypes

/// An emulated Apple with a known key, and codes from it to exchange.
struct BenchEmulator: Sendable {
    private static let callback = "https://juice.example.com/sign-in/apple/callback"
    private static let clientID = "com.example.juice.web"

    let apple: AppleEmulator
    private let key: P256.Signing.PrivateKey
    private let person: String

    /// Makes one with a person who signs in.
    init() async throws {
        key = P256.Signing.PrivateKey()
        var seed = Seed.demo(publicKeyPEM: key.publicKey.pemRepresentation)
        person = "maya@example.com"
        seed.people = [SeedPerson(email: person, givenName: "Maya", familyName: "Lind")]
        apple = try await AppleEmulator(seed: seed)
    }

    /// Signs a person in so many times; the bodies of the token requests that exchange the codes.
    func exchanges(_ count: Int) async throws -> [Data] {
        let secret = try clientSecret()
        var bodies: [Data] = []
        for _ in 0..<count {
            let code = try await code()
            bodies.append(
                Data(
                    ("grant_type=authorization_code&client_id=\(Self.clientID)&code=\(code)"
                        + "&client_secret=\(secret)&redirect_uri=\(Self.callback)").utf8
                )
            )
        }
        return bodies
    }

    /// Exchanges a code in this process.
    func exchange(_ body: Data) async throws {
        let answer = await apple.respond(to: Self.tokenRequest, body: body)
        guard answer.response.status == .ok else {
            throw BenchError("no exchange: \(String(decoding: answer.body, as: UTF8.self))")
        }
    }

    private static let tokenRequest = HTTPRequest(
        method: .post,
        scheme: "http",
        authority: "127.0.0.1",
        path: "/auth/token",
        headerFields: [.contentType: "application/x-www-form-urlencoded"]
    )

    private func code() async throws -> String {
        try await apple.decideNext(for: person)
        let path =
            "/auth/authorize?response_type=code&response_mode=query&client_id=\(Self.clientID)"
            + "&redirect_uri=\(Self.callback)"
        let request = HTTPRequest(
            method: .get,
            scheme: "http",
            authority: "127.0.0.1",
            path: path
        )
        let answer = await apple.respond(to: request, body: Data())
        let location = answer.response.headerFields[.location] ?? ""
        guard
            let code = URLComponents(string: location)?.queryItems?
                .first(where: { $0.name == "code" })?.value
        else { throw BenchError("no code: \(answer.response.status)") }
        return code
    }

    private func clientSecret() throws -> String {
        let now = Int(Date().timeIntervalSince1970)
        let header = #"{"alg":"ES256","kid":"JUICEKEY01"}"#
        let claims = """
            {"iss":"JUICETEAM1","iat":\(now),"exp":\(now + 86_400),\
            "aud":"https://appleid.apple.com","sub":"\(Self.clientID)"}
            """
        let input = [header, claims].map { BenchApple.base64URL(Data($0.utf8)) }
            .joined(separator: ".")
        let signature = try key.signature(for: Data(input.utf8)).rawRepresentation
        return input + "." + BenchApple.base64URL(signature)
    }
}
