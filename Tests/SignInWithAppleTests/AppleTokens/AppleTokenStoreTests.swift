import AppleEmulatorTesting
import AppleIdentity
import Foundation
import SignInWithApple
import Testing

/// The store in memory passes the check, and a store with a defect does not.
@Suite struct AppleTokenStoreTests {
    @Test func memoryPasses() async throws {
        try await checkAppleTokenStore { try DemoAppleTokenStore() }
    }

    @Test func fileIsReadAgain() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).json")
        defer { try? FileManager.default.removeItem(at: file) }
        let record = AppleTokenRecord(
            person: "p",
            version: "v",
            dueAt: .distantFuture,
            isRefused: false,
            content: "{}"
        )
        #expect(try DemoAppleTokenStore(file: file).replace(nil, with: record))
        #expect(try DemoAppleTokenStore(file: file).record(of: "p") == record)
        try Data("[]".utf8).write(to: file)
        #expect(throws: (any Error).self) { try DemoAppleTokenStore(file: file) }
    }

    @Test func transactionThatAnotherOvertookIsRefused() async throws {
        let store = try DemoAppleTokenStore()
        let records = (0..<2).map { number in
            AppleTokenRecord(
                person: "p",
                version: "\(number)",
                dueAt: .distantFuture,
                isRefused: false,
                content: "{}"
            )
        }
        await #expect(throws: (any Error).self) {
            try await store.transaction { transaction in
                let isFirst = try transaction.replace(nil, with: records[0])
                let isSecond = try store.replace(nil, with: records[1])
                #expect(isFirst && isSecond)
            }
        }
        #expect(store.record(of: "p") == records[1])
    }

    @Test(arguments: BrokenStore.Defect.allCases)
    func defectIsFound(defect: BrokenStore.Defect) async throws {
        let error = await #expect(throws: TestAppleError.self) {
            try await checkAppleTokenStore {
                BrokenStore(store: try DemoAppleTokenStore(), defect: defect)
            }
        }
        #expect(
            error?.description.contains(defect.rawValue) == true,
            "\(String(describing: error))"
        )
    }
}

/// A store with a defect that teams may have in their own.
struct BrokenStore: AppleTokenStore {
    /// A defect, named by the words of the failure.
    enum Defect: String, CaseIterable {
        case forgetsVersions = "another version"
        case insertsTwice = "inserted over another"
        case keepsDeleted = "not deleted"
        case ignoresTime = "what is due"
        case ignoresCount = "maximumCount"
        case countsAll = "refusedCount"
        case keepsInterrupted = "interrupted transaction"
        case swallowsErrors = "hides an error"
        case cutsText = "read otherwise"
        case forgetsRefusals = "otherwise than stored"
        case readsBeforeWriting = "of writers at once"
    }

    let store: DemoAppleTokenStore
    let defect: Defect

    func record(of person: String) -> AppleTokenRecord? {
        guard let record = store.record(of: person) else { return nil }
        guard defect == .cutsText else { return record }
        return AppleTokenRecord(
            person: person,
            version: record.version,
            dueAt: record.dueAt,
            isRefused: record.isRefused,
            content: String(record.content.prefix(1000))
        )
    }

    func replace(_ old: AppleTokenRecord?, with new: AppleTokenRecord?) async throws -> Bool {
        if defect == .forgetsVersions, let old {
            return try store.replace(store.record(of: old.person), with: new)
        }
        if defect == .insertsTwice, old == nil, let new {
            return try store.replace(store.record(of: new.person), with: new)
        }
        if defect == .keepsDeleted, new == nil { return false }
        if defect == .forgetsRefusals, let old, let new {
            return try store.replace(old, with: new.refused(old.isRefused))
        }
        if defect == .readsBeforeWriting, let old {
            guard store.record(of: old.person)?.version == old.version else { return false }
            // The other writers read meanwhile.
            for _ in 0..<100 { await Task.yield() }
            return try store.replace(store.record(of: old.person), with: new)
        }
        return try store.replace(old, with: new)
    }

    func dueRecords(at now: Date, maximumCount: Int) -> [AppleTokenRecord] {
        store.dueRecords(
            at: defect == .ignoresTime ? .distantFuture : now,
            maximumCount: defect == .ignoresCount ? 9 : maximumCount
        )
    }

    func refusedCount() -> Int {
        defect == .countsAll
            ? store.dueRecords(at: .distantFuture, maximumCount: 9).count : store.refusedCount()
    }

    func transaction(_ body: @escaping @concurrent @Sendable (BrokenStore) async throws -> Void)
        async throws
    {
        if defect == .keepsInterrupted { return try await body(self) }
        do {
            try await store.transaction { try await body(BrokenStore(store: $0, defect: defect)) }
        } catch  where defect == .swallowsErrors {}
    }
}

extension AppleTokenRecord {
    fileprivate func refused(_ isRefused: Bool) -> AppleTokenRecord {
        AppleTokenRecord(
            person: person,
            version: version,
            dueAt: dueAt,
            isRefused: isRefused,
            content: content
        )
    }
}
