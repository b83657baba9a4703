import AppleIdentity
import Foundation

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
