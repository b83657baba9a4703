import AppleIdentity
import Foundation

@testable import SignInWithApple
@testable import SignedTokens

/// The JSON inside a token, read by each of the readers.
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
        #"{"a":{"b":[1,-2.5e-3,true,false,null,"\ud83d\ude00\n\\\"/"]},"a":9223372036854775808}"#,
        #"[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]"#, "null", #""""#, "-0", " { } ",
    ]

    func test(_ input: Data) {
        testGeneralReader(input)
        testFlatReader(input)
        testClaims(input)
        testHeader(input)
        testHashes(input)
    }

    /// What is read has the same meaning to Foundation, and survives being written.
    private func testGeneralReader(_ input: Data) {
        guard let value = try? JSONValue(parsing: input) else { return }
        let again = try? JSONValue(parsing: value.data)
        promise(again?.text == value.text, "it is written and read as another value")
        guard (try? JSONMemberCheck.check(input)) != nil else { return }
        guard let other = FoundationJSON.parse(input) else {
            return promise(false, "Foundation refuses it")
        }
        promise(FoundationJSON.isSame(value, other), "Foundation reads another value")
    }

    private func testFlatReader(_ input: Data) {
        let members = input.withUnsafeBytes { bytes in
            flatMembers(of: bytes.bindMemory(to: UInt8.self))
        }
        guard let members else { return }
        guard let object = FoundationJSON.parse(input) as? [String: Any] else {
            return promise(false, "Foundation finds no object")
        }
        let names = Set(members.map(\.name))
        promise(names == Set(object.keys), "Foundation finds other members")
        guard names.count == members.count else { return }
        for (name, value) in members {
            promise(
                object[name].map { FoundationJSON.isSame(value, $0) } == true,
                "\(name) differs"
            )
        }
    }

    private func flatMembers(
        of bytes: UnsafeBufferPointer<UInt8>
    ) -> [(name: String, value: JSONValue)]? {
        var reader = FlatJSON(bytes)
        var members: [(name: String, value: JSONValue)] = []
        while true {
            switch reader.next() {
            case .unusual: return nil
            case .end: return members
            case .member(let name, let value):
                let copy: JSONValue =
                    switch value {
                    case .text(let text): .string(String(decoding: text, as: UTF8.self))
                    case .number(let number): .integer(number)
                    case .boolean(let boolean): .boolean(boolean)
                    }
                members.append((String(decoding: name, as: UTF8.self), copy))
            }
        }
    }

    /// The quick reader sees nothing that the decoder doesn't, and every check ends in order.
    private func testClaims(_ input: Data) {
        let decoded = Result { () throws(SignInError) in
            try SignedClaims(input).identityTokenClaims()
        }
        let quick = input.withUnsafeBytes { bytes in
            PlainClaims.read(bytes.bindMemory(to: UInt8.self))
        }
        if let quick {
            promise((try? decoded.get()) == quick, "the quick reader reads other claims")
        }
        switch decoded {
        case .failure(let error): Refusals.check(error)
        case .success(let claims): testChecks(of: claims)
        }
    }

    private func testChecks(of claims: IdentityTokenClaims) {
        let expectation = IdentityTokenExpectation(
            nonce: .rawOrSHA256("n"),
            authorizationCode: "c",
            accessToken: "a"
        )
        let rules = IdentityTokenRules(
            issuer: AppleService.appleIssuer,
            clientIDs: ["com.example.juice", "a"],
            expectation: expectation,
            now: Date(timeIntervalSince1970: 1_769_000_000)
        )
        for check in IdentityTokenCheck.allCases {
            do throws(SignInError) {
                try check.apply(rules, to: claims)
            } catch {
                Refusals.check(error)
            }
        }
    }

    private func testHeader(_ input: Data) {
        let quick = input.withUnsafeBytes { bytes in
            TokenHeader(plain: bytes.bindMemory(to: UInt8.self))
        }
        guard let quick else { return }
        let decoded = try? JSONDecoder().decode(TokenHeader.self, from: input)
        promise(decoded == quick, "the quick reader reads another header")
    }

    private func testHashes(_ input: Data) {
        let encoded = Base64URL.encode(input)
        promise(Base64URL.decode(encoded) == input, "base64url decodes to something else")
    }
}
