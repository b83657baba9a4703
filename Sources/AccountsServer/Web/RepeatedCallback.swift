import Accounts
import AppleIdentity
import Foundation
import SignInWithApple

/// Lets a page post Apple's answer again without showing it: the person's name came only this once.
struct RepeatedCallback: Sendable {
    let sealer: TokenSealer

    func remedy(_ body: Data, ceremony: String, asksName: Bool) throws -> ServerError.Remedy {
        .repeatCallback(
            sealed: try sealer.seal(body, for: Self.context(ceremony)),
            ceremony: ceremony,
            asksName: asksName
        )
    }

    /// The answer as Apple's page posted it, with another name if the person wrote one.
    func body(from form: PostedForm) throws -> Data {
        guard
            let sealed = form["callback"], let ceremony = form["ceremony"],
            let body = try? sealer.open(sealed, for: Self.context(ceremony)),
            var callback = PostedForm(body)
        else { throw ServerError.callbackMalformed("the sealed callback is missing or altered") }
        guard let name = form["name"] else { return body }
        let user = AuthorizationUser(name: PersonName(givenName: name), email: nil)
        callback.set("user", String(decoding: try JSONEncoder().encode(user), as: UTF8.self))
        return callback.body
    }

    private static func context(_ ceremony: String) -> SealingContext {
        SealingContext(purpose: "callback", parts: [ceremony])
    }
}
