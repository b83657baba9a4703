import Accounts
import AppleIdentity
import SignInWithApple

/// The members of a request whose handler encrypts secrets in the database.
struct SealingOrder {
    static let members = ["sealingKeys", "abandon"]

    /// The command's keys as `id=fingerprint`; nil when it has none.
    private let sealingKeys: [String]?
    /// The names of lost keys.
    let abandonedKeys: Set<String>

    init(_ fields: JSONFields) throws {
        sealingKeys = try fields.optionalTexts("sealingKeys")
        abandonedKeys = Set(try fields.optionalTexts("abandon") ?? [])
        guard abandonedKeys.allSatisfy({ $0.count <= TokenSealer.maximumKeyIDCharacterCount })
        else { throw ServerError.parameter("abandon", "names of sealing keys") }
    }

    /// Refuses keys that a server lacks, or that do not decrypt what is stored.
    ///
    /// - Returns: what the abandoned keys encrypted; its refresh tokens can no longer be revoked at Apple.
    func check(_ accounts: AccountsService) async throws -> UnopenedSecrets {
        let own = accounts.sealingKeyID
        if let sealingKeys, sealingKeys.first != accounts.sealingKeys.first {
            throw refusal(
                "sealing_keys_differ",
                "the server's first sealing key, \(own), is not the first one here",
                "restart the server with the same SIWA_SEALING_KEYS"
            )
        }
        guard try await accounts.isSealingKeyShared() else {
            throw refusal(
                "sealing_keys_differ",
                "a running server lacks the sealing key \(own)",
                "restart that server with \(own) in SIWA_SEALING_KEYS, and wait a minute"
            )
        }
        let unopened = try await accounts.unopenedSecrets()
        let unused = abandonedKeys.subtracting(unopened.keys).sorted()
        guard unused.isEmpty else {
            throw refusal(
                "sealing_key_unused",
                "no secret that cannot be decrypted has the key \(unused.joined(separator: ", "))",
                "the keys of such secrets: \(unopened.count == 0 ? "none" : "\(unopened)")"
            )
        }
        guard unopened.keys.isSubset(of: abandonedKeys) else {
            throw refusal(
                "secrets_undecryptable",
                "no key of SIWA_SEALING_KEYS decrypts what these keys encrypted: \(unopened)",
                "add the keys; for a lost one add --abandon ID: its refresh tokens can then no longer be revoked at Apple"
            )
        }
        return unopened
    }

    private func refusal(_ code: String, _ message: String, _ hint: String) -> ServerError {
        ServerError(code, .conflict, message, hint: hint)
    }
}
