import AppleIdentity
import Crypto
import Foundation

@testable import SignInWithApple
@testable import SignedTokens

/// What `siwa explain` is given: any text, and any claims in a token of either algorithm.
struct ExplanationTarget: FuzzTarget {
    private let keys: JSONWebKeySet

    init() throws {
        keys = try JSONWebKeySet(json: SeedFiles.knownKeys())
    }

    func seeds() throws -> [Data] {
        let real = try SeedFiles.tokens() + SeedFiles.notifications()
        let payloads = real.compactMap { token in
            token.split(separator: ".").dropFirst().first
                .flatMap { FoundationBase64.decode(String($0)) }
        }
        return payloads + (real + Self.odd).map { Data($0.utf8) }
    }

    private static let odd = [
        #"{"iss":"DEF123GHIJ","aud":"https://appleid.apple.com","iat":0,"exp":-9223372036854775808}"#,
        #"{"iss":"T","aud":"https://appleid.apple.com","iat":1e300,"exp":9223372036854775807}"#,
        #"{"events":"{\"type\":\"x\",\"sub\":\"s\",\"event_time\":9223372036854775807}"}"#,
        #"{"nbf":-1e300,"auth_time":9223372036854775807,"real_user_status":-1}"#,
    ]

    func test(_ input: Data) {
        explain(String(decoding: input, as: UTF8.self))
        let claims = Base64URL.encode(input)
        for header in [
            #"{"alg":"ES256","kid":"ABC123DEFG"}"#, #"{"alg":"RS256","kid":"86D88Kf"}"#,
        ] {
            explain("\(Base64URL.encode(header.utf8)).\(claims).\(Base64URL.encode([0, 1, 2]))")
        }
    }

    private func explain(_ token: String) {
        for seconds in [0, 1_769_000_000, 1e300, -1e300] {
            let explanation = TokenExplanation.explain(
                token,
                keys: keys,
                audience: ["com.example.juice"],
                at: Date(timeIntervalSince1970: seconds)
            )
            promise(!explanation.lines.isEmpty, "the explanation is empty")
            let hasFailed = explanation.lines.contains { $0.mark == .failed }
            promise(hasFailed == (explanation.refusal != nil), "a failed check has no code")
            promise(
                explanation.lines.allSatisfy { line in
                    line.description.unicodeScalars.allSatisfy {
                        $0.properties.generalCategory != .control
                    }
                },
                "a line has control characters"
            )
        }
    }
}
