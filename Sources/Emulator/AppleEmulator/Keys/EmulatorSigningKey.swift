import AppleIdentity
import CryptoExtras
import Foundation
import SignedTokens

package struct EmulatorSigningKey: Sendable {
    let keyID: KeyID
    let key: SigningKey
    let privateKeyPEM: String
    /// The public key as Apple publishes it, with the members in Apple's order.
    let publicObject: JSONObject

    init(nameLength: Int) throws {
        let pair = try _RSA.Signing.PrivateKey(keySize: .bits2048)
        try self.init(pair, keyID: KeyID(RandomText.signingKeyID(count: nameLength)))
    }

    init(_ pair: _RSA.Signing.PrivateKey, keyID: KeyID) throws {
        self.keyID = keyID
        privateKeyPEM = pair.pemRepresentation
        key = SigningKey(pair)
        let publicKey = try JSONWebKey(pair.publicKey, keyID: keyID.rawValue)
        publicObject = [
            "kty": "RSA", "kid": .string(keyID.rawValue), "use": "sig", "alg": "RS256",
            "n": .string(publicKey.modulus ?? ""), "e": .string(publicKey.exponent ?? ""),
        ]
    }

    /// Generates keys on all cores, because each takes a noticeable part of a second.
    @concurrent
    package static func make(
        count: Int,
        nameLength: Int = EmulatorSwitches.keyNameLengths.upperBound
    ) async throws -> [EmulatorSigningKey] {
        try await withThrowingTaskGroup(of: EmulatorSigningKey.self) { group in
            for _ in 0..<count {
                group.addTask {
                    try Task.checkCancellation()
                    return try EmulatorSigningKey(nameLength: nameLength)
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }

    /// Returns a token to sign later, with an optional defect.
    ///
    /// The header is Apple's: `kid`, then `alg`, and no `typ`.
    func unsignedToken(_ claims: JSONObject, defect: IdentityTokenDefect) -> UnsignedToken {
        let algorithm = defect == .unsigned ? "none" : SignatureAlgorithm.rs256.rawValue
        let header: JSONObject = [
            "kid": .string(defect == .unknownKey ? RandomText.signingKeyID() : keyID.rawValue),
            "alg": .string(algorithm),
        ]
        let input = SigningKey.signingInput(header: header.data, payload: claims.data)
        return UnsignedToken(key: key, signingInput: input, defect: defect)
    }
}

/// A token without its signature, which takes longer than the rest of a response.
struct UnsignedToken: Sendable {
    let key: SigningKey
    let signingInput: String
    let defect: IdentityTokenDefect

    /// The token with an empty signature, as in a response until it is signed.
    var text: String { signingInput + "." }

    func signed() throws -> String { try text + signature() }

    /// Inserts the signature after the token in a body; a body without the token stays as it is.
    func sign(in body: inout Data) throws {
        guard let place = body.range(of: Data(text.utf8), options: .backwards) else { return }
        body.insert(contentsOf: try signature().utf8, at: place.upperBound)
    }

    private func signature() throws -> String {
        switch defect {
        case .unsigned: ""
        case .badSignature: try key.signature(over: text)
        default: try key.signature(over: signingInput)
        }
    }
}

extension EmulatorAnswer {
    /// The response with its token signed.
    ///
    /// Signing does not use the emulator's state, so tokens are signed in parallel. The state
    /// is already changed: a code stays used even if signing fails.
    @concurrent func signed() async -> EmulatorAnswer {
        guard let unsignedToken else { return self }
        var answer = self
        answer.unsignedToken = nil
        do {
            try unsignedToken.sign(in: &answer.body)
            return answer
        } catch {
            return Outcome.refusal(.unsigned(error), clientID: nil).answer
        }
    }
}

extension OAuthRefusal {
    static func unsigned(_ error: any Error) -> OAuthRefusal {
        OAuthRefusal(.serverError, reason: "the identity token can't be signed: \(error)")
    }
}
