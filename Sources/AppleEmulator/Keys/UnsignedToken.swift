import AppleIdentity
import Foundation
import SignedTokens

/// A token that lacks its signature, which takes longer than all else of an answer.
struct UnsignedToken: Sendable {
    let key: SigningKey
    /// Header and claims as they are signed.
    let signingInput: String
    /// In which way the signature is wrong.
    var defect = IdentityTokenDefect.none

    /// The token without its signature, as it stands in an answer until it is signed.
    var text: String { signingInput + "." }

    /// The whole token.
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
    @concurrent
    func signed() async -> EmulatorAnswer {
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
    /// Says that a token can't be signed.
    static func unsigned(_ error: any Error) -> OAuthRefusal {
        OAuthRefusal(.serverError, reason: "the identity token can't be signed: \(error)")
    }
}
