import AppleEmulator
import AppleIdentity
import Foundation
import Testing

@testable import AppleEmulatorServer

@Suite("The folder of the signing keys", .timeLimit(.minutes(5)))
struct SigningKeyFolderTests {
    private let temporary: TemporaryPath
    private var path: String { temporary.text }

    init() throws { temporary = try TemporaryPath(isMade: false) }

    /// The names of the keys with which an emulator starts that keeps them in the folder.
    private static func keyNames(
        _ path: String,
        count: Int = 1,
        onFailure: @escaping @Sendable () -> Void = {}
    ) async throws -> [String] {
        let emulator = try await AppleEmulator(
            configuration: EmulatorConfiguration(signingKeyCount: count),
            keySource: SigningKeyFolder(path: path).source(onFailure: onFailure)
        )
        let keys = await emulator.state()["signing_keys"]?.arrayValue
        return (keys ?? []).compactMap(\.stringValue)
    }

    private static func document(_ path: String) throws -> Data {
        try Data(contentsOf: URL(filePath: path + "/signing-keys.json"))
    }

    @Test("A start uses the keys of the last one, which only their owner can read")
    func kept() async throws {
        let names = try await Self.keyNames(path + "/deep/keys")
        #expect(names.count == 1)
        #expect(try await Self.keyNames(path + "/deep/keys") == names)
        let file = path + "/deep/keys/signing-keys.json"
        #expect(try TemporaryPath.permissions(file) == 0o600)
    }

    @Test("Two installations never have the same keys") func installations() async throws {
        let (first, second) = (path + "/first", path + "/second")
        let names = try await Self.keyNames(first)
        #expect(try await Self.keyNames(second) != names)
        #expect(try Self.document(first) != Self.document(second))
    }

    @Test("For another number of keys, new ones are created and stored")
    func count() async throws {
        let names = try await Self.keyNames(path)
        let more = try await Self.keyNames(path, count: 2)
        #expect(more.count == 2 && !more.contains(names[0]))
        #expect(try await Self.keyNames(path, count: 2) == more)
    }

    @Test(
        "A damaged file is replaced",
        arguments: [
            "", "{}", #"{"signing_keys":[]}"#, #"{"signing_keys":[{"key_id":"AAAAAAAAAA"}]}"#,
            #"{"signing_keys":[{"key_id":"AAAAAAAAAA","private_key_pem":"x"}]}"#,
        ]
    )
    func damaged(text: String) async throws {
        try StateFolder(path: path, fileName: "signing-keys.json").write(Data(text.utf8))
        let names = try await Self.keyNames(path)
        #expect(names.count == 1)
        #expect(try await Self.keyNames(path) == names)
    }

    @Test("A document that is too long is not read") func long() async throws {
        let document = EmulatorSigningKey.document(of: try await signingKeys.value)
        // As keys are named unless a switch says otherwise.
        let length = 10
        let keys = EmulatorSigningKey.keys(in: document, count: 3, nameLength: length)
        #expect(keys?.count == 3)
        let limit = EmulatorSigningKey.maximumDocumentByteCount
        let padding = Data(repeating: UInt8(ascii: " "), count: limit)
        #expect(
            EmulatorSigningKey.keys(in: document + padding, count: 3, nameLength: length) == nil
        )
    }

    @Test("Keys are read also while another start has the folder") func shared() async throws {
        let names = try await Self.keyNames(path)
        let other = try StateFolder(path: path, fileName: "signing-keys.json")
        #expect(try await Self.keyNames(path) == names)
        #expect(try other.read() != nil)
    }

    @Test("Of simultaneous starts, one stores its keys") func race() async throws {
        async let first = Self.keyNames(path)
        async let second = Self.keyNames(path)
        let names = [try await first, try await second]
        #expect(names.contains(try await Self.keyNames(path)))
    }

    @Test("A folder that another user owns or can write to is not used")
    func unusable() async throws {
        let other = try StateFolder(path: path, fileName: "signing-keys.json")
        try other.write(Data("{}".utf8))
        let names = try await Self.keyNames(path) { Issue.record("it is only in use") }
        #expect(names.count == 1)
        #expect(try other.read() == Data("{}".utf8))
        try await confirmation("reports that nothing is stored") { told in
            let names = try await Self.keyNames("/dev/null/keys") { told() }
            #expect(names.count == 1)
        }
    }

    @Test("The usual folder is in the user's cache") func usual() throws {
        #expect(SigningKeyFolder.usual(in: ["HOME": "relative"]) == nil)
        #expect(SigningKeyFolder.usual(in: [:]) == nil)
        let cached = SigningKeyFolder.usual(in: ["XDG_CACHE_HOME": "/cache", "HOME": "/home/maya"])
        #expect(cached == SigningKeyFolder(path: "/cache/siwa/emulator"))
        #expect(SigningKeyFolder.usual(in: ["HOME": "/home/maya"]) != cached)
    }
}
