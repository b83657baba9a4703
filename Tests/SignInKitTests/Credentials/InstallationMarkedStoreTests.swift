import Foundation
import TestSupport
import Testing

@testable import SignInKit

@Suite("Leftovers of an earlier installation") struct InstallationMarkedStoreTests {
    private static let app = "com.example.juice"

    /// What outlives installations, and a folder that each test has for itself.
    private func withKeychain(
        _ body: (MemoryCredentialStore, URL) async throws -> Void
    ) async throws {
        let folder = try makeTemporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        try await body(MemoryCredentialStore(), folder)
    }

    @Test("They are forgotten at the first use, and nothing after it")
    func leftovers() async throws {
        try await withKeychain { keychain, folder in
            let marker = folder.appending(path: "made later/here")
            try await keychain.write(Data("old".utf8), to: .session)
            let first = InstallationMarkedStore(keychain, marker: marker, owner: Self.app)
            #expect(try await first.read(.session) == nil)
            try await first.write(Data("new".utf8), to: .session)
            let second = InstallationMarkedStore(keychain, marker: marker, owner: Self.app)
            #expect(try await second.read(.session) == Data("new".utf8))
        }
    }

    @Test("Apple's answer stays, and the session is to be ended at the server")
    func reinstalled() async throws {
        try await withKeychain { keychain, folder in
            let session = SessionRecord.Session(token: "old", way: .apple, confirmedAt: .now)
            let record = SessionRecord(current: session, ended: ["older"], skipsAsking: true)
            try await keychain.write(JSONEncoder().encode(record), to: .session)
            try await keychain.write(Data("answer".utf8), to: .pendingRegistration)
            try await keychain.write(Data("maya".utf8), to: .userIdentifier)
            let store = InstallationMarkedStore(
                keychain,
                marker: folder.appending(path: "here"),
                owner: Self.app
            )
            #expect(try await store.read(.pendingRegistration) == Data("answer".utf8))
            #expect(try await store.read(.userIdentifier) == nil)
            let left = try #require(try await store.read(.session))
            let ended = try JSONDecoder().decode(SessionRecord.self, from: left)
            #expect(ended == SessionRecord(ended: ["older", "old"]))
        }
    }

    @Test(
        "They are forgotten whoever marked them: the app itself, or an earlier version of it",
        arguments: ["owner com.example.juice", "90ab12cd"]
    )
    func again(record: String) async throws {
        try await withKeychain { keychain, folder in
            try await keychain.write(Data("old".utf8), to: .session)
            try await keychain.write(Data(record.utf8), to: .installation)
            let marker = folder.appending(path: "here")
            let store = InstallationMarkedStore(keychain, marker: marker, owner: Self.app)
            let session = try await store.read(.session)
            #expect(session == nil)
        }
    }

    @Test("A second app, or an extension, that starts for the first time forgets nothing")
    func secondApp() async throws {
        try await withKeychain { keychain, folder in
            let app = InstallationMarkedStore(
                keychain,
                marker: folder.appending(path: "app"),
                owner: Self.app
            )
            try await app.write(Data("session".utf8), to: .session)
            for _ in 1...2 {
                let other = InstallationMarkedStore(
                    keychain,
                    marker: folder.appending(path: "extension"),
                    owner: "com.example.juice.widget"
                )
                #expect(try await other.read(.session) == Data("session".utf8))
            }
            #expect(try await app.read(.session) == Data("session".utf8))
        }
    }

    @Test("On a locked device it is put off") func locked() async throws {
        try await withKeychain { keychain, folder in
            let marker = folder.appending(path: "made later/here")
            try await keychain.write(Data("old".utf8), to: .session)
            keychain.isLocked = true
            let store = InstallationMarkedStore(keychain, marker: marker, owner: Self.app)
            await #expect(throws: CredentialStoreError.locked) { try await store.read(.session) }
            #expect(!FileManager.default.fileExists(atPath: marker.path(percentEncoded: false)))
            keychain.isLocked = false
            #expect(try await store.read(.session) == nil)
        }
    }
}
