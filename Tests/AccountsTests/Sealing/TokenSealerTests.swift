import Accounts
import Foundation
import SignInWithApple
import Testing

@Suite("Encryption by the token sealer") struct TokenSealerTests {
    private let secret = Data("a refresh token".utf8)
    private let context = SealingContext(purpose: "test", parts: ["account", "client"])

    @Test("decrypts what it encrypted, and hides it")
    func roundTrip() throws {
        let sealer = try TokenSealer(keys: TokenSealer.makeKey(identifier: "k1"))
        let sealed = sealer.seal(secret, for: context)
        #expect(sealed.hasPrefix("k1."))
        #expect(!sealed.contains("refresh"))
        #expect(try sealer.open(sealed, for: context) == secret)
        #expect(sealer.seal(secret, for: context) != sealed)
    }

    @Test(
        "decrypts only with the context of the encryption",
        arguments: [
            SealingContext(purpose: "test", parts: ["account", "other"]),
            SealingContext(purpose: "test", parts: ["other", "client"]),
            SealingContext(purpose: "test", parts: ["accountclient"]),
            SealingContext(purpose: "test", parts: ["account", "client", ""]),
            SealingContext(purpose: "other", parts: ["account", "client"]),
        ]
    )
    func wrongContext(_ other: SealingContext) throws {
        let sealer = try TokenSealer(keys: TokenSealer.makeKey(identifier: "k1"))
        let sealed = sealer.seal(secret, for: context)
        let error = #expect(throws: SealingError.self) { try sealer.open(sealed, for: other) }
        #expect(error?.code == .textInvalid)
    }

    @Test("refuses a string with any changed character")
    func altered() throws {
        let sealer = try TokenSealer(keys: TokenSealer.makeKey(identifier: "k1"))
        let sealed = Array(sealer.seal(secret, for: context))
        for index in sealed.indices {
            var altered = sealed
            altered[index] = altered[index] == "A" ? "B" : "A"
            #expect(throws: SealingError.self, "character \(index)") {
                try sealer.open(String(altered), for: context)
            }
        }
    }

    @Test("uses a new first key, and still decrypts with the old key until it is removed")
    func rotation() throws {
        let old = TokenSealer.makeKey(identifier: "old")
        let new = TokenSealer.makeKey(identifier: "new")
        let sealed = try TokenSealer(keys: old).seal(secret, for: context)
        let both = try TokenSealer(keys: "\(new),\(old)")
        #expect(try both.open(sealed, for: context) == secret)
        #expect(both.seal(secret, for: context).hasPrefix("new."))
        let error = #expect(throws: SealingError.self) {
            try TokenSealer(keys: new).open(sealed, for: context)
        }
        #expect(error?.code == .keyUnknown)
    }

    @Test("has a fingerprint of each key, which depends on the key alone")
    func fingerprints() throws {
        let (old, new) = (
            TokenSealer.makeKey(identifier: "a"), TokenSealer.makeKey(identifier: "b")
        )
        let both = try TokenSealer(keys: "\(new),\(old)").fingerprints
        #expect(both.map { $0.prefix(2) } == ["b=", "a="] && both.allSatisfy { $0.count == 18 })
        #expect(try TokenSealer(keys: old).fingerprints == [both[1]])
        let other = TokenSealer.makeKey(identifier: "a")
        #expect(try TokenSealer(keys: other).fingerprints != [both[1]])
    }

    @Test(
        "refuses invalid keys and names the entry, never the key",
        arguments: [
            "", "k1", "k1:", ":AAAA", "k1:c2hvcnQ=", "k 1:" + key, "k1:" + key + ",",
            "k1:" + key + ",k1:" + key, "k1:not base64",
        ]
    )
    func malformed(_ keys: String) {
        let error = #expect(throws: SealingError.self) { try TokenSealer(keys: keys) }
        #expect(error?.code == .keysMalformed)
        #expect(error?.hint.contains(Self.key) == false)
    }

    private static let key = Data(repeating: 7, count: 32).base64EncodedString()
}
