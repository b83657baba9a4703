import AppleIdentity
import Foundation

@testable import SignInWithApple
@testable import SignedTokens

/// The JSON inside a token.
struct ClaimsTarget: FuzzTarget {
    func seeds() throws -> [Data] {
        let real = try SeedFiles.tokens() + SeedFiles.notifications()
        let parts = real.flatMap { $0.split(separator: ".").prefix(2) }
        return parts.compactMap { FoundationBase64.decode(String($0)) }
            + Self.odd.map { Data($0.utf8) }
    }

    private static let odd = [
        #"{"iss":"i","aud":["a","b"],"exp":1.5,"iat":1e9,"sub":"\u0061","nbf":0,"nonce":"é"}"#,
        #"{"iss":"i","aud":"a","exp":999999999999999,"iat":0,"sub":"s","is_private_email":"true"}"#,
        #"{"alg":"RS256","kid":"k","typ":"JWT","crit":["exp"],"b64":false}"#,
    ]

    func test(_ input: Data) {
        testClaims(input)
        testHeader(input)
        let encoded = Base64URL.encode(input)
        promise(Base64URL.decode(encoded) == input, "base64url decodes to something else")
    }

    /// Foundation sees the same claims, and every check ends in order.
    private func testClaims(_ input: Data) {
        do throws(ClaimsError) {
            let claims = try IdentityTokenClaims(parsing: input)
            let object = FoundationJSON.parse(input) as? [String: Any]
            promise(object?["events"] == nil, "the claims of a notification")
            promise(object?["iss"] as? String == claims.issuer, "another issuer")
            promise(object?["sub"] as? String == claims.subject.rawValue, "another person")
            promise(object?["nonce"] as? String == claims.nonce, "another nonce")
            promise(object?["c_hash"] as? String == claims.codeHash, "another code hash")
            let one = (object?["aud"] as? String).map { [$0] }
            let clients = one ?? object?["aud"] as? [String]
            promise(clients == claims.audience.clients.map(\.rawValue), "another audience")
            testChecks(of: claims)
        } catch {
            Refusals.check(SignInError(error))
        }
    }

    private func testChecks(of claims: IdentityTokenClaims) {
        let expectation = IdentityTokenExpectation(
            nonce: .rawOrSHA256("n"),
            authorizationCode: "c",
            accessToken: "a"
        )
        let rules = TokenRules(
            issuer: AppleService.appleIssuer,
            clientIDs: ["com.example.juice", "a"],
            now: Date(timeIntervalSince1970: 1_769_000_000)
        )
        for check in TokenCheck.allCases {
            test { () throws(SignInError) in try check.apply(rules, to: claims) }
        }
        for check in BindingCheck.allCases {
            test { () throws(SignInError) in try check.apply(expectation, to: claims) }
        }
    }

    private func test(_ check: () throws(SignInError) -> Void) {
        do throws(SignInError) {
            try check()
        } catch {
            Refusals.check(error)
        }
    }

    private func testHeader(_ input: Data) {
        let header = input.withUnsafeBytes { bytes in
            try? TokenHeader(bytes.bindMemory(to: UInt8.self))
        }
        guard let header else { return }
        let object = FoundationJSON.parse(input) as? [String: Any]
        promise(object?["alg"] as? String == header.algorithm, "another algorithm")
        promise(object?["kid"] as? String == header.keyID, "another key")
        promise(object?["crit"] as? [String] == header.criticalExtensions, "other extensions")
    }
}
