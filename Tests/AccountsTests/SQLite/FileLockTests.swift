import Accounts
import Foundation
import TestSupport
import Testing

@testable import AccountsSQLite

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

@Suite("The lock of a database file") struct FileLockTests {
    @Test("is held once, and is free as soon as its holder ends")
    func held() throws {
        try withPath { path in
            var lock: FileLock? = try FileLock(path: path)
            for _ in 0..<2 {
                let error = #expect(throws: AccountStoreError.self) { try FileLock(path: path) }
                #expect(error?.kind == .unavailable)
                #expect(error?.hint.contains("open in another process") == true)
            }
            #expect(lock != nil)
            lock = nil
            lock = try FileLock(path: path)
            lock?.release()
            _ = try FileLock(path: path)
        }
    }

    #if os(Linux)
        @Test("is released even if a child process has its file open")
        func inherited() throws {
            try withPath { path in
                var lock: FileLock? = try FileLock(path: path)
                let copy = try #require(descriptors(of: path).first.map { dup($0) })
                #expect(copy >= 0)
                defer { close(copy) }
                #expect(lock != nil)
                lock = nil
                #expect(try descriptors(of: path) == [copy])
                _ = try FileLock(path: path)
            }
        }

        /// The numbers under which this process has a file open.
        private func descriptors(of path: String) throws -> [Int32] {
            let folder = "/proc/self/fd"
            return try FileManager.default.contentsOfDirectory(atPath: folder).filter {
                (try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)"))
                    == path
            }
            .compactMap { Int32($0) }
        }
    #endif

    private func withPath(_ body: (String) throws -> Void) throws {
        let folder = try makeTemporaryFolder().resolvingSymlinksInPath()
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(folder.appending(path: "siwa.sqlite.lock").path())
    }
}
