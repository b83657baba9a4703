import SignInWithApple

/// The stored secrets that no sealing key decrypts, by the names of the keys that encrypted them.
package struct UnopenedSecrets: Hashable, Sendable, CustomStringConvertible {
    /// Reads at most the given number of values after a position.
    package typealias Reader<Failure: Error> =
        (ResealingPosition?, Int) async throws(Failure) -> [SealedValue]

    private static let batchCount = 200

    private var counts: [String: Int] = [:]
    /// The counts of those that a deletion would revoke at Apple.
    private var refreshTokenCounts: [String: Int] = [:]

    package init() {}

    /// Tries to decrypt every secret; throws what reading throws.
    package init<Failure>(
        sealer: TokenSealer,
        reading read: Reader<Failure>
    ) async throws(Failure) {
        var position: ResealingPosition?
        repeat {
            let values = try await read(position, Self.batchCount)
            let batch = ResealingBatch(
                sealer: sealer,
                after: position,
                maximumCount: Self.batchCount
            )
            let step = batch.decision(given: values).answer
            counts.merge(step.unopened.counts, uniquingKeysWith: +)
            refreshTokenCounts.merge(step.unopened.refreshTokenCounts, uniquingKeysWith: +)
            position = step.next
        } while position != nil
    }

    package var count: Int { counts.values.reduce(0, +) }

    /// How many refresh tokens cannot be revoked at Apple when their accounts are deleted.
    package var refreshTokenCount: Int { refreshTokenCounts.values.reduce(0, +) }

    /// The names of the keys that encrypted the secrets.
    package var keys: Set<String> { Set(counts.keys) }

    /// The counts of each key, such as `k1: 12 secrets, 10 of them refresh tokens`.
    package var description: String {
        counts.sorted { $0.key < $1.key }
            .map { key, count in
                let noun = count == 1 ? "secret" : "secrets"
                return
                    "\(key): \(count) \(noun), \(refreshTokenCounts[key] ?? 0) of them refresh tokens"
            }
            .joined(separator: "; ")
    }

    mutating func add(_ value: SealedValue) {
        guard let key = value.keyID else { return }
        counts[key, default: 0] += 1
        switch value {
        case .refreshToken, .entry(_, .revocation): refreshTokenCounts[key, default: 0] += 1
        case .entry, .unreadableEntry, .tokenKey: break
        }
    }
}
