import Crypto
import CryptoExtras
import Foundation
import Testing

@testable import SignedTokens

/// Valid entries of a published key set, and what makes a key unusable.
@Suite("Key sets") struct JSONWebKeySetTests {
    private static let key: JSONWebKey? = {
        guard let key = try? _RSA.Signing.PrivateKey(keySize: .bits2048) else { return nil }
        return try? JSONWebKey(key.publicKey, keyID: "first")
    }()

    private func key(_ change: (inout JSONWebKey) -> Void = { _ in }) throws -> JSONWebKey {
        var key = try #require(Self.key)
        change(&key)
        return key
    }

    @Test("A key is published as Apple publishes its own") func published() throws {
        let key = try key()
        #expect(key.keyType == "RSA" && key.use == "sig" && key.algorithm == "RS256")
        #expect(key.exponent == "AQAB")
        #expect(key.modulus?.utf8.count == 342)
        #expect(throws: Never.self) { try key.verificationKey() }
    }

    @Test("A set survives being written and read") func roundTrip() throws {
        let set = JSONWebKeySet(keys: [try key(), try key { $0.keyID = "second" }])
        let json = try JSONEncoder().encode(["keys": set.keys])
        #expect(try JSONWebKeySet(json: json) == set)
        #expect(Set(set.verificationKeys().keys) == ["first", "second"])
    }

    @Test("Keys of unknown form or purpose are left out, the others stay") func unknownKeys() throws
    {
        let good = String(decoding: try JSONEncoder().encode(try key()), as: UTF8.self)
        let text = #"""
            {"keys":[{"kty":"OKP","crv":"Ed25519","x":"AA","kid":"a"},{"kid":"no type"},7,null,
            {"kty":"oct","k":"AA","kid":"b"},\#(good),{"kty":"RSA","kid":"c"}],"more":true}
            """#
        let set = try JSONWebKeySet(json: Data(text.utf8))
        #expect(set.verificationKeys().keys.sorted() == ["first"])
    }

    @Test("A key without a name is never found") func namelessKey() throws {
        let set = JSONWebKeySet(keys: [try key { $0.keyID = nil }])
        #expect(set.verificationKeys().isEmpty)
    }

    @Test(
        "A document that is no key set is refused",
        arguments: ["", "{}", "[]", "null", "<html></html>", #"{"keys":{}}"#, #"{"keys":null}"#]
    ) func noKeySet(text: String) {
        let error = SignedTokenError.unusableKey(
            reason: "the document is not a JSON object with \"keys\""
        )
        #expect(throws: error) { try JSONWebKeySet(json: Data(text.utf8)) }
    }

    @Test("A set has at most 64 keys") func keyCount() throws {
        func json(count: Int) throws -> Data {
            try JSONEncoder().encode(["keys": Array(repeating: try key(), count: count)])
        }
        #expect(try JSONWebKeySet(json: try json(count: 64)).keys.count == 64)
        #expect(throws: SignedTokenError.unusableKey(reason: "the document has more than 64 keys"))
        { try JSONWebKeySet(json: try json(count: 65)) }
    }

    @Test("Unusable keys are rejected", arguments: Self.faults) func fault(_ fault: Fault) throws {
        let key = try key(fault.change)
        #expect(throws: SignedTokenError.unusableKey(reason: fault.reason)) {
            try key.verificationKey()
        }
    }

    @Test("A key on P-256 is used, one with a changed point is not") func p256() throws {
        let point = P256.Signing.PrivateKey().publicKey.rawRepresentation
        func key(x: Data, y: Data) throws -> JSONWebKey {
            try self.key {
                $0.keyType = "EC"
                $0.algorithm = "ES256"
                $0.curve = "P-256"
                $0.x = Base64URL.encode(x)
                $0.y = Base64URL.encode(y)
            }
        }
        let (x, y) = (point.prefix(32), point.suffix(32))
        #expect(try key(x: x, y: y).verificationKey().algorithm == .es256)
        #expect(throws: SignedTokenError.unusableKey(reason: "its point is not on the curve")) {
            try key(x: y, y: x).verificationKey()
        }
        let reason = "its coordinates must have 32 bytes each"
        #expect(throws: SignedTokenError.unusableKey(reason: reason)) {
            try key(x: [0] + x, y: y).verificationKey()
        }
    }

    struct Fault: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let reason: String
        let change: @Sendable (inout JSONWebKey) -> Void

        init(
            _ testDescription: String,
            _ reason: String,
            change: @escaping @Sendable (inout JSONWebKey) -> Void
        ) {
            self.testDescription = testDescription
            self.reason = reason
            self.change = change
        }
    }

    private static let size = "its modulus must have 2048 to 8192 bits"
    private static let parity = "its exponent must be odd and greater than 1"
    private static let encoding = "its modulus or exponent is not base64url"

    static let faults: [Fault] = [
        Fault("for encryption", "its \"use\" is not \"sig\"") { $0.use = "enc" },
        Fault("operations without verify", "its \"key_ops\" do not include \"verify\"") {
            $0.operations = ["sign"]
        },
        Fault("no operations", "its \"key_ops\" do not include \"verify\"") { $0.operations = [] },
        Fault("PS256", "its \"alg\" is not RS256") { $0.algorithm = "PS256" },
        Fault("RSA key for ES256", "its \"alg\" is not RS256") { $0.algorithm = "ES256" },
        Fault("symmetric", "its type is neither RSA nor EC") { $0.keyType = "oct" },
        Fault("small letters", "its type is neither RSA nor EC") { $0.keyType = "rsa" },
        Fault("no modulus", encoding) { $0.modulus = nil },
        Fault("padded modulus", encoding) { $0.modulus? += "=" },
        Fault("no exponent", encoding) { $0.exponent = nil },
        Fault("1024 bits", size) { $0.modulus = Base64URL.encode(odd(byteCount: 128)) },
        Fault("2047 bits", size) { $0.modulus = Base64URL.encode([0x7F] + odd(byteCount: 255)) },
        Fault("leading zero", size) { $0.modulus = Base64URL.encode([0] + odd(byteCount: 256)) },
        Fault("8200 bits", size) { $0.modulus = Base64URL.encode(odd(byteCount: 1025)) },
        Fault("exponent 1", parity) { $0.exponent = "AQ" },
        Fault("exponent 0", parity) { $0.exponent = "AA" },
        Fault("empty exponent", parity) { $0.exponent = "" },
        Fault("even exponent", parity) { $0.exponent = "AQAA" },
        Fault("exponent of 40 bits", parity) { $0.exponent = "AQAAAAE" },
    ]

    private static func odd(byteCount: Int) -> [UInt8] { Array(repeating: 0xFF, count: byteCount) }
}
