import AppleEmulator
import AppleIdentity
import Foundation
import HTTPTypes
import SignedTokens
import Testing

// Fidelity: keys-4, keys-6, keys-7, keys-8, keys-10, keys-19
@Suite("Switches of keys and discovery") struct DocumentSwitchTests {
    private static let path = "/.well-known/openid-configuration"

    private static func keyIDs(_ box: Box) async throws -> [String] {
        let reply = await box.send(.get, "/auth/keys")
        return try JSONWebKeySet(json: reply.answer.body).keys.compactMap(\.keyID)
    }

    @Test("In June 2025 discovery moved to another host and issuer; tokens kept theirs")
    func moved() async throws {
        let box = try await Box { $0.switches = ["discovery": "moved"] }
        let redirect = await box.send(.get, Self.path)
        #expect(redirect.status == 301)
        #expect(redirect.header("Location") == "https://account.apple.com" + Self.path)
        let reply = await box.send(.get, Self.path, authority: "account.apple.com")
        #expect(reply["issuer"] == "https://account.apple.com")
        #expect(reply["token_endpoint"] == "https://account.apple.com/auth/token")
        let local = await box.send(.get, Self.path, scheme: "http", authority: "127.0.0.1:8081")
        #expect(local["issuer"] == "https://account.apple.com")
        #expect(local["token_endpoint"] == "http://127.0.0.1:8081/auth/token")
        let token = TokenText(try await box.signInOnTheWeb()["id_token"])
        #expect(token.claims["iss"] == "https://appleid.apple.com")
    }

    @Test("The order of the keys changes from fetch to fetch, the set does not")
    func order() async throws {
        let box = try await Box { $0.switches = ["key_order": "changing"] }
        var orders: Set<[String]> = []
        for _ in 1...60 { orders.insert(try await Self.keyIDs(box)) }
        #expect(orders.count > 1)
        #expect(Set(orders.map { $0.sorted() }).count == 1)
    }

    @Test("There are no keys for a while, and tokens are signed all the same")
    func emptyKeySet() async throws {
        let box = try await Box { $0.switches = ["empty_key_set": true] }
        let reply = await box.send(.get, "/auth/keys")
        #expect(reply.status == 200 && reply.text == #"{"keys":[]}"#)
        #expect(try await box.credentials()["identity_token"] != nil)
        _ = try await box.apple.changeSwitches(["empty_key_set": false])
        #expect(try await Self.keyIDs(box).count == 3)
    }

    @Test("A key of an unknown type is published with those that sign")
    func foreignKey() async throws {
        let box = try await Box()
        let usual = try await Self.keyIDs(box)
        _ = try await box.apple.changeSwitches(["foreign_key": true])
        let reply = await box.send(.get, "/auth/keys")
        let keys = reply.json["keys"]?.arrayValue ?? []
        let foreign = try #require(keys.first?.objectValue)
        #expect(foreign["kty"] == "EC" && foreign["crv"] == "brainpoolP320r1")
        #expect(foreign["n"] == nil)
        #expect(try await Self.keyIDs(box) == ["FOREIGNKEY"] + usual)
        let token = try await box.deviceToken()
        #expect(usual.contains { token.header.contains("\"kid\":\"\($0)\"") })
    }

    @Test("Fewer keys apply at once, more are generated, and the first keys stay")
    func keyCount() async throws {
        let box = try await Box()
        let all = try await Self.keyIDs(box)
        for count in [1, 2, 4] {
            for isReset in [false, true] {
                _ = try await box.apple.changeSwitches(["signing_key_count": .integer(count)])
                let changed = try await Self.keyIDs(box)
                #expect(changed.count == count && changed[0] == all[0])
                if isReset {
                    try await box.apple.reset()
                } else {
                    #expect(try await box.apple.resetSwitches()["signing_key_count"] == 3)
                }
                let now = try await Self.keyIDs(box)
                #expect(now.count == 3 && now[0] == all[0])
            }
        }
        _ = try await box.apple.changeSwitches(["signing_key_count": 2])
        _ = try await box.apple.rotateSigningKeys([:])
        let rotated = try await Self.keyIDs(box)
        #expect(rotated.count == 2 && Set(rotated).isDisjoint(with: all))
    }

    @Test("Keys made after the switch have shorter names, and sign by them")
    func keyNames() async throws {
        let box = try await Box()
        _ = try await box.apple.changeSwitches(["key_id_length": 7])
        #expect(try await Self.keyIDs(box).allSatisfy { $0.count == 10 })
        _ = try await box.apple.rotateSigningKeys([:])
        let names = try await Self.keyIDs(box)
        #expect(names.allSatisfy { $0.wholeMatch(of: /[A-Za-z0-9]{7}/) != nil })
        let token = try await box.credentials()["identity_token"]?.stringValue ?? ""
        #expect(names.contains { TokenText(token).header.contains("\"kid\":\"\($0)\"") })
        let seed = try Seed(yaml: "switches: {key_id_length: 6, signing_key_count: 1}")
        let seeded = try await AppleEmulator(seed: seed).state()["signing_keys"]?.arrayValue
        #expect(seeded?.count == 1 && seeded?.first?.stringValue?.count == 6)
    }

    @Test("The documents may be kept as long as switched") func cache() async throws {
        let box = try await Box { $0.switches = ["document_cache_seconds": 0] }
        let reply = await box.send(.get, "/auth/keys")
        #expect(reply.header("Cache-Control") == "public, max-age=0")
    }
}
