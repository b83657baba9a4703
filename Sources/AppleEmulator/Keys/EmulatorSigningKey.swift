import AppleIdentity
import CryptoExtras
import Foundation
import SignedTokens

package struct EmulatorSigningKey: Sendable {
    let keyID: KeyID
    let key: SigningKey
    let privateKeyPEM: String
    /// The public half as Apple publishes it: the members in Apple's order.
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

    /// Makes keys beside whatever else goes on, on all cores: each takes a noticeable part of a
    /// second.
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

    /// A compact token with Apple's header: `kid`, then `alg`, and no `typ`.
    func sign(_ claims: JSONObject, naming otherKeyID: KeyID? = nil) throws -> String {
        try unsignedToken(claims, naming: otherKeyID).signed()
    }

    /// An identity token, to be signed later, right or wrong in one asked way.
    func unsignedToken(_ claims: JSONObject, defect: IdentityTokenDefect) -> UnsignedToken {
        var token =
            switch defect {
            case .unknownKey: unsignedToken(claims, naming: KeyID(RandomText.signingKeyID()))
            case .unsigned: unsignedToken(claims, algorithm: "none")
            default: unsignedToken(claims)
            }
        token.defect = defect
        return token
    }

    /// The same token, to be signed later.
    func unsignedToken(
        _ claims: JSONObject,
        naming otherKeyID: KeyID? = nil,
        algorithm: String = SignatureAlgorithm.rs256.rawValue
    ) -> UnsignedToken {
        let header: JSONObject = [
            "kid": .string((otherKeyID ?? keyID).rawValue), "alg": .string(algorithm),
        ]
        return UnsignedToken(
            key: key,
            signingInput: SigningKey.signingInput(header: header.data, payload: claims.data)
        )
    }
}

/// A token that lacks its signature, which takes longer than all else of an answer.
struct UnsignedToken: Sendable {
    let key: SigningKey
    let signingInput: String
    var defect = IdentityTokenDefect.none

    /// The token without its signature, as it stands in an answer until it is signed.
    var text: String { signingInput + "." }

    func signed() throws -> String { try text + signature() }

    /// Puts the signature behind the token where a body has it; one without it stays as it is.
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
    /// The answer with the signature that its token lacks.
    ///
    /// Signing is no matter of the emulator's state, so that several tokens are signed at the same
    /// time. What the token stands for has been recorded: a code stays used whatever comes of this.
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
