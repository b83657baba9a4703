import Foundation
import SignInWithApple

@testable import Accounts

extension AccountStoreConformance {
    static let tokenKeyChecks: [Check] = [
        Check("of several processes that create the first key at once, one does") { store in
            let found = try await withThrowingTaskGroup(of: [TokenKey].self) { group in
                for _ in 0..<8 { group.addTask { try await store.rotated(.first) } }
                return try await group.reduce(into: Set()) { $0.insert($1.map(\.id)) }
            }
            try expect(found.count == 1)
            try expect(try await store.tokenKeys().map(\.id) == found.first)
        },
        Check("a rotation keeps the old key until its last token has expired") { store in
            let old = try require(try await store.rotated(.first).first)
            let keys = try await store.rotated(.overlapping)
            let new = try require(keys.last)
            try expect(try await store.tokenKeys() == keys && keys.map(\.id) == [old.id, new.id])
            try expect(new.signsFrom == start.addingTimeInterval(360))
            try expect(keys.signing(at: start)?.id == old.id)
            try expect(keys.signing(at: new.signsFrom) == new)
            let end = try require(keys[0].publishedUntil)
            try expect(end == new.signsFrom.addingTimeInterval(420))
            let before = end.addingTimeInterval(-1)
            try expect(try await store.forgetExpired(now: before, maximumCount: 9) == 0)
            try expect(try await store.forgetExpired(now: end, maximumCount: 9) == 1)
            try expect(try await store.tokenKeys() == [new])
        },
        Check("a second rotation waits for the first, and a repeated one is the same") { store in
            _ = try await store.rotated(.first)
            let first = try rotation(.overlapping)
            guard case .keys(let before) = try await store.rotateTokenKeys(first),
                case .keys(let keys) = try await store.rotateTokenKeys(first)
            else { throw Failure(description: "the repeated rotation was refused") }
            try expect(keys == before)
            let second = try await store.rotateTokenKeys(try rotation(.overlapping))
            try expect(second == .waiting(until: start.addingTimeInterval(360)))
            try expect(try await store.auditEntries(AuditQuery()).count == 1)
        },
        Check("an immediate rotation leaves only the new key") { store in
            _ = try await store.rotated(.first)
            _ = try await store.rotated(.overlapping)
            let keys = try await store.rotated(.immediate)
            try expect(keys.count == 1 && keys[0].signsFrom == start)
            try expect(try await store.tokenKeys() == keys)
        },
        Check("the keys are encrypted again with the other secrets") { store in
            _ = try await store.rotated(.first)
            let before = try await store.tokenKeys()
            let new = TokenSealer.makeKey(identifier: "new")
            let sealer = try TokenSealer(keys: "\(new),\(tokenKeySealer)")
            let batch = ResealingBatch(sealer: sealer, after: nil, maximumCount: 1)
            let step = try await store.reseal(batch)
            let next = ResealingBatch(sealer: sealer, after: step.next, maximumCount: 1)
            try expect(step.resealedCount == 1 && step.next == .tokenKey(before[0].id))
            try expect(try await store.reseal(next).next == nil)
            let after = try await store.tokenKeys()
            try expect(after.map(\.publicKey) == before.map(\.publicKey) && after != before)
        },
    ]

    private static let tokenKeySealer = TokenSealer.makeKey(identifier: "old")

    fileprivate static func rotation(_ kind: TokenKeyRotation.Kind) throws -> TokenKeyRotation {
        let sealer = try TokenSealer(keys: tokenKeySealer)
        return TokenKeyRotation(
            kind,
            newKey: TokenKey(sealedBy: sealer, now: start),
            audit: kind == .first ? nil : AuditContext(actor: .administrator, now: start),
            now: start
        )
    }
}

extension AccountStore {
    /// The keys after a rotation that is not refused.
    fileprivate func rotated(_ kind: TokenKeyRotation.Kind) async throws -> [TokenKey] {
        let outcome = try await rotateTokenKeys(try AccountStoreConformance.rotation(kind))
        guard case .keys(let keys) = outcome else {
            throw AccountStoreConformance.Failure(description: "\(outcome)")
        }
        return keys
    }
}
