import Foundation
import SignInKit
import TestSupport
import Testing

@Suite("Records in files") struct FileCredentialStoreTests {
    private func withFolder(_ body: (URL) async throws -> Void) async throws {
        try await withTemporaryFolder { try await body($0.appending(path: "store")) }
    }

    private func mode(of url: URL) throws -> Int {
        let path = url.path(percentEncoded: false)
        let value = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
        return try #require(value as? Int)
    }

    private func error<Value>(
        of call: () async throws -> Value
    ) async throws -> CredentialStoreError? {
        do {
            _ = try await call()
            return nil
        } catch let error as CredentialStoreError {
            return error
        }
    }

    @Test("A record is read as it was written, by its owner alone") func write() async throws {
        try await withFolder { folder in
            let store = FileCredentialStore(folder: folder)
            #expect(try await store.read(.session) == nil)
            try await store.remove(.session)
            try await store.write(Data("one".utf8), to: .session)
            try await store.write(Data("two".utf8), to: .session)
            try await store.write(Data("name".utf8), to: .profile)
            #expect(
                try await FileCredentialStore(folder: folder).read(.session) == Data("two".utf8)
            )
            #expect(try mode(of: folder) == 0o700)
            #expect(try mode(of: folder.appending(path: "session")) == 0o600)
            let names = try FileManager.default.contentsOfDirectory(
                atPath: folder.path(percentEncoded: false)
            )
            #expect(names.sorted() == ["profile", "session"])
            try await store.remove(.session)
            #expect(try await store.read(.session) == nil)
            #expect(try await store.read(.profile) == Data("name".utf8))
        }
    }

    @Test("A record has a largest size, to write and to read") func size() async throws {
        try await withFolder { folder in
            let store = FileCredentialStore(folder: folder)
            let most = Data(repeating: 1, count: CredentialRecord.maximumByteCount)
            try await store.write(most, to: .session)
            #expect(try await store.read(.session) == most)
            #expect(
                try await error { try await store.write(most + [1], to: .session) } == .tooLarge
            )
            #expect(try await store.read(.session) == most)
            let file = try FileHandle(forWritingTo: folder.appending(path: "session"))
            try file.seekToEnd()
            try file.write(contentsOf: Data([1]))
            try file.close()
            #expect(try await error { try await store.read(.session) } == .tooLarge)
        }
    }

    @Test("A symbolic link is refused, as a record and as the folder") func links() async throws {
        try await withFolder { folder in
            let store = FileCredentialStore(folder: folder)
            try await store.write(Data("mine".utf8), to: .profile)
            try FileManager.default.createSymbolicLink(
                at: folder.appending(path: "session"),
                withDestinationURL: folder.appending(path: "profile")
            )
            #expect(
                try await error { try await store.read(.session) }
                    == .unsafe("session is a symbolic link")
            )
            // Writing replaces the link, and not what it leads to.
            try await store.write(Data("new".utf8), to: .session)
            #expect(try await store.read(.profile) == Data("mine".utf8))
            let link = folder.deletingLastPathComponent().appending(path: "link")
            try FileManager.default.createSymbolicLink(at: link, withDestinationURL: folder)
            let linked = FileCredentialStore(folder: link)
            #expect(
                try await error { try await linked.read(.profile) }
                    == .unsafe("the path is not a folder")
            )
        }
    }

    @Test("What others may read is refused", arguments: ["", "session"])
    func others(name: String) async throws {
        try await withFolder { folder in
            let store = FileCredentialStore(folder: folder)
            try await store.write(Data("mine".utf8), to: .session)
            let path = folder.appending(path: name).path(percentEncoded: false)
            try FileManager.default.setAttributes([.posixPermissions: 0o744], ofItemAtPath: path)
            let words = name.isEmpty ? "the folder" : name
            #expect(
                try await error { try await store.read(.session) }
                    == .unsafe("others can access \(words)")
            )
        }
    }
}
