import Accounts
import AppleIdentity
import Foundation
import HTTPTypes
import Hummingbird
import SignInWithApple
import SignInWithAppleHummingbird

/// Apple's answer, checked in an order that consumes nothing before the last check has passed.
struct WebCallback: Sendable {
    let server: ServerParts

    /// Ends the ceremony that the posted form belongs to, if it is no older than so many seconds.
    func finish(
        _ body: Data,
        _ request: Request,
        lifetime: Int = CeremonyLimits.lifetime
    ) async throws -> Response {
        guard let form = PostedForm(body) else {
            throw ServerError.callbackMalformed("a broken escape, not UTF-8, or too many fields")
        }
        let ceremony = try server.ceremonies.ceremony(
            for: try CeremonyState(posted: form[all: "state"]),
            in: request,
            now: server.time.now,
            lifetime: lifetime
        )
        try checkName(in: form, body, ceremony)
        let callback = try callback(form, body, ceremony)
        if callback.error == .userCancelledAuthorize { return cancelled(ceremony) }
        let receipt = try await signIn(callback, ceremony, body, request)
        return signedIn(receipt, ceremony)
    }

    /// A name that is too long is told while the person can still shorten it: Apple tells it once.
    private func checkName(in form: PostedForm, _ body: Data, _ ceremony: Ceremony<SignInNote>)
        throws
    {
        let maximumCharacterCount = server.accounts.configuration.maximumNameCharacterCount
        guard
            let text = form["user"],
            let user = try? AuthorizationUser(parsing: text),
            let name = user.name?.displayName, name.count > maximumCharacterCount
        else { return }
        let error = ServerError(
            "name_too_long",
            .unprocessableContent,
            "The name is longer than \(maximumCharacterCount) characters.",
            hint: "the name in the callback's user field is over the limit; nothing was consumed"
        )
        throw try repeatable(error, body, ceremony, asksName: true)
    }

    /// Reads the form; when its `user` field alone is at fault, the person is asked for the name.
    private func callback(
        _ form: PostedForm,
        _ body: Data,
        _ ceremony: Ceremony<SignInNote>
    ) throws -> AuthorizationCallback {
        do {
            return try AuthorizationCallback(formBody: body)
        } catch {
            var others = form
            others.remove("user")
            guard
                !form[all: "user"].isEmpty,
                (try? AuthorizationCallback(formBody: others.body)) != nil
            else { throw ServerError(AccountsError(error)).with(.signInAgain(ceremony.note.goal)) }
            let refusal = ServerError(
                "name_unreadable",
                .unprocessableContent,
                "Your name did not arrive in one piece. Please write it once more.",
                hint: "\(error.hint); nothing was consumed"
            )
            throw try repeatable(refusal, body, ceremony, asksName: true)
        }
    }

    /// Lets the person post the same callback again, also long after an ordinary ceremony's end.
    private func repeatable(
        _ refusal: ServerError,
        _ body: Data,
        _ ceremony: Ceremony<SignInNote>,
        asksName: Bool
    ) throws -> ServerError {
        let repeated = RepeatedCallback(sealer: server.configuration.sealer)
        let name = ceremony.state.name
        var refusal = refusal.with(try repeated.remedy(body, ceremony: name, asksName: asksName))
        refusal.headers.append(
            try server.ceremonies.field(
                ceremony,
                lifetime: ServerLimits.repeatedCeremonyLifetime
            )
        )
        return refusal
    }

    private func cancelled(_ ceremony: Ceremony<SignInNote>) -> Response {
        var response = Response.seeOther("\(WebPath.signIn)?notice=\(Notice.cancelled.rawValue)")
        response.headers.append(CeremonyCookies.cleared(ceremony))
        return response
    }

    private func signIn(
        _ callback: AuthorizationCallback,
        _ ceremony: Ceremony<SignInNote>,
        _ body: Data,
        _ request: Request
    ) async throws -> SignInReceipt {
        guard let servicesID = server.configuration.servicesID else {
            throw ServerError.webSignInUnavailable
        }
        do {
            return try await server.accounts.signInWeb(
                WebSignIn(
                    callback: callback,
                    nonce: ceremony.nonce,
                    redirectURI: ceremony.redirectURI,
                    servicesID: servicesID,
                    device: DeviceDescription.of(request),
                    previousSessionToken: ceremony.note.previousSessionToken
                )
            )
        } catch let error as AccountsError {
            let refusal = ServerError(error)
            guard error.isRetryable else { throw refusal.with(.signInAgain(ceremony.note.goal)) }
            throw try repeatable(refusal, body, ceremony, asksName: false)
        }
    }

    private func signedIn(_ receipt: SignInReceipt, _ ceremony: Ceremony<SignInNote>) -> Response {
        var response = Response.seeOther(ceremony.note.goal.path)
        let lifetime = Int(server.accounts.configuration.sessionAbsoluteLimit)
        response.headers.append(SessionCookie.field(receipt.token, lifetime: lifetime))
        response.headers.append(CeremonyCookies.cleared(ceremony))
        return response
    }
}
