import Foundation
import SignedTokens

/// A token that lacks its signature, which takes longer than all else of an answer.
struct UnsignedToken: Sendable {
    let key: SigningKey
    /// Header and claims as they are signed.
    let signingInput: String

    /// The token without its signature, as it stands in an answer until it is signed.
    var text: String { signingInput + "." }

    /// The whole token.
    func signed() throws -> String { try text + key.signature(over: signingInput) }

    /// Puts the signature behind the token where a body has it; one without it stays as it is.
    func sign(in body: inout Data) throws {
        guard let place = body.range(of: Data(text.utf8), options: .backwards) else { return }
        let signature = try key.signature(over: signingInput)
        body.insert(contentsOf: signature.utf8, at: place.upperBound)
    }
}
