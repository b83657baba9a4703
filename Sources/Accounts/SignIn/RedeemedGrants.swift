import Foundation
import SignInWithApple
import Synchronization

/// What Apple gave for codes whose sign-in could not be finished, for the same request sent again.
///
/// A code is good once. When Apple's keys can't be had after redeeming, or the store fails, only this
/// memory keeps the retry from being refused by Apple and the refresh token from being lost.
final class RedeemedGrants: Sendable {
    private struct Entry {
        let grant: RedeemedGrant
        let endsAt: Date
    }

    static let maximumEntryCount = 1000
    /// Seconds an entry is kept; Apple's codes live five minutes.
    static let lifetime: TimeInterval = 10 * 60

    private let entries = Mutex<[SecretHash: Entry]>([:])

    func keep(_ grant: RedeemedGrant, for code: String, now: Date) {
        entries.withLock { entries in
            entries = entries.filter { $0.value.endsAt > now }
            if entries.count >= Self.maximumEntryCount,
                let oldest = entries.min(by: { $0.value.endsAt < $1.value.endsAt })
            {
                entries[oldest.key] = nil
            }
            let endsAt = now.addingTimeInterval(Self.lifetime)
            entries[SecretHash(of: code)] = Entry(grant: grant, endsAt: endsAt)
        }
    }

    func take(for code: String, now: Date) -> RedeemedGrant? {
        let entry = entries.withLock { $0.removeValue(forKey: SecretHash(of: code)) }
        return entry.flatMap { $0.endsAt > now ? $0.grant : nil }
    }
}
