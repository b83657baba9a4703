import AppleIdentity
import CoreMetrics
import Foundation
import ServiceLifecycle
import SignInWithApple

/// The sealing keys, and the stored secrets that they decrypt.
extension AccountsService {
    /// The keys as `id=fingerprint`, first the one that encrypts.
    package var sealingKeys: [String] { sealer.fingerprints }

    /// The name of the key that encrypts.
    package var sealingKeyID: String { sealer.sealingKeyID }

    /// Whether each server of a shared database that has recorded its keys in the last minute knows the key that encrypts.
    package func isSealingKeyShared() async throws(AccountsError) -> Bool {
        let limit = now.addingTimeInterval(-60)
        let recorded = try await callStore(await store.sealingKeys(recordedSince: limit))
        return recorded.allSatisfy { $0.contains(sealingKeys[0]) }
    }

    /// Reads every stored secret, and counts and returns those that no key decrypts.
    package func unopenedSecrets() async throws(AccountsError) -> UnopenedSecrets {
        let secrets = try await UnopenedSecrets(sealer: sealer) {
            position,
            count throws(AccountsError) in
            guard !Task.isShuttingDownGracefully else {
                throw AccountsError(.storeUnavailable, hint: "the server is stopping")
            }
            return try await callStore(
                await store.sealedValues(after: position, maximumCount: count)
            )
        }
        measures.undecryptableSecrets.set(secrets.count)
        return secrets
    }
}
