import Foundation
import TestSupport
import Testing

@testable import SignInKit

@Suite("Leftovers of an earlier installation") struct InstallationMarkedStoreTests {
    @Test("They are forgotten at the first use, and nothing after it") func leftovers()
        async throws
    {
        let folder = try makeTemporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let marker = folder.appending(path: "made later/here")
        let keychain = MemoryCredentialStore()
        try await keychain.write(Data("old".utf8), to: .session)
        let first = InstallationMarkedStore(keychain, marker: marker)
        #expect(try await first.read(.session) == nil)
        try await first.write(Data("new".utf8), to: .session)
        let second = InstallationMarkedStore(keychain, marker: marker)
        #expect(try await second.read(.session) == Data("new".utf8))
        #expect(try await second.read(.installation) == Data(contentsOf: marker))
    }

    @Test("On a locked device it is put off") func locked() async throws {
        let folder = try makeTemporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let marker = folder.appending(path: "made later/here")
        let keychain = MemoryCredentialStore()
        try await keychain.write(Data("old".utf8), to: .session)
        keychain.isLocked = true
        let store = InstallationMarkedStore(keychain, marker: marker)
        await #expect(throws: CredentialStoreError.locked) { try await store.read(.session) }
        #expect(!FileManager.default.fileExists(atPath: marker.path(percentEncoded: false)))
        keychain.isLocked = false
        #expect(try await store.read(.session) == nil)
    }
}
