import Hummingbird
import Logging
import SignInWithApple

/// What both ways of signing in share: who decides about a sign-in, and how a refusal is told.
struct SignInDesk<Context: RequestContext>: Sendable {
    typealias Decide = @Sendable (CompletedSignIn, Context) async throws -> SignInAnswer

    let apple: AppleSignIn
    /// The path that begins a sign-in in a browser.
    let beginPath: String?
    let decide: Decide

    /// Answers with what a step gives, or tells why it gives nothing; foreign errors go on.
    func answering(
        _ request: Request,
        _ context: Context,
        _ step: () async throws -> Response
    ) async throws -> Response {
        do {
            return try await step()
        } catch {
            guard let refusal = RouteRefusal(any: error) else { throw error }
            context.logger.notice(
                "sign-in refused",
                metadata: ["code": "\(refusal.code)", "hint": "\(refusal.hint)"]
            )
            return RefusalAnswer(refusal: refusal, beginPath: beginPath).response(to: request)
        }
    }

    /// Redeems the code, which afterwards is spent; the answer has to be about the same person.
    func grant(
        for code: String,
        of identity: VerifiedIdentity,
        redirectURI: String?
    ) async throws -> AppleGrant {
        let grant = try await apple.redeem(
            code: code,
            clientID: identity.clientID,
            redirectURI: redirectURI,
            receivedAt: identity.issuedAt
        )
        guard grant.identity.user == identity.user else {
            throw RouteRefusal(
                "identity_mismatch",
                .unauthorized,
                "The identity token and the authorization code do not belong together.",
                hint: "Apple's answer to the code is about another person than the token"
            )
        }
        return grant
    }
}
