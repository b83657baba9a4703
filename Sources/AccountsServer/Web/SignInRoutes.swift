import Accounts
import AppleIdentity
import Foundation
import HTTPTypes
import Hummingbird
import SignInWithApple
import SignInWithAppleHummingbird

/// The pages and steps of signing in with a browser.
struct SignInRoutes: Sendable {
    let server: ServerParts

    var routes: [Route] {
        [
            Route(.get, WebPath.signIn) { try await signInPage($0, $1) },
            Route(.get, WebPath.signInApple) { try begin($0, $1) },
            Route(.post, WebPath.callback) { try await finish($0, $1) },
            Route(.post, WebPath.repeatedCallback) { try await finishAgain($0, $1) },
            Route(.post, WebPath.signOut) { try await signOut($0, $1) },
        ]
    }

    private func signInPage(_ request: Request, _ context: ServerContext) async throws -> Response {
        if try await server.authenticator.visitor(of: request) != nil {
            return .seeOther(WebPath.account)
        }
        let notice = request.uri.queryParameters["notice"].flatMap { Notice(rawValue: String($0)) }
        return try server.pages.signIn(
            notice: notice,
            hasAppleButton: server.configuration.servicesID != nil
        )
    }

    /// Begins a ceremony and sends the browser to Apple.
    private func begin(_ request: Request, _ context: ServerContext) throws -> Response {
        guard let servicesID = server.configuration.servicesID else {
            throw ServerError.webSignInUnavailable
        }
        let origin = server.origins.origin(of: request)
        let goal = request.uri.queryParameters["goal"].flatMap { SignInGoal(rawValue: String($0)) }
        let ceremony = Ceremony(
            redirectURI: origin.redirectURI,
            note: SignInNote(
                goal: goal ?? .account,
                previousSessionToken: SessionCookie.token(in: request)
                    .flatMap { SessionToken($0) }?.text
            ),
            now: server.time.now
        )
        let address = server.apple(for: origin).authorizationURL(
            clientID: servicesID,
            redirectURI: ceremony.redirectURI,
            scopes: [.name, .email],
            state: ceremony.state.text,
            nonce: ceremony.nonce
        )
        var response = Response.seeOther(address.absoluteString)
        response.headers.append(try server.ceremonies.field(ceremony))
        for field in server.ceremonies.surplus(in: request) { response.headers.append(field) }
        return response
    }

    /// Takes Apple's answer, which the browser posts from Apple's page.
    private func finish(_ request: Request, _ context: ServerContext) async throws -> Response {
        let body = try await request.formBody(
            maximumByteCount: ServerLimits.maximumCallbackByteCount,
            time: server.time
        )
        return try await WebCallback(server: server).finish(body, request)
    }

    /// Takes the same answer once more, from one of our own pages.
    private func finishAgain(
        _ request: Request,
        _ context: ServerContext
    ) async throws -> Response {
        try server.browsers.check(request)
        let form = try await request.form(
            maximumByteCount: ServerLimits.maximumRepeatedCallbackByteCount,
            time: server.time
        )
        let body = try RepeatedCallback(sealer: server.configuration.sealer).body(from: form)
        return try await WebCallback(server: server).finish(
            body,
            request,
            lifetime: ServerLimits.repeatedCeremonyLifetime
        )
    }

    private func signOut(_ request: Request, _ context: ServerContext) async throws -> Response {
        try server.browsers.check(request)
        if let visitor = try await server.authenticator.visitor(of: request) {
            try await server.accounts.signOut(visitor.session)
        }
        return .leaving(.signedOut)
    }
}

extension Response {
    /// Sends a browser that is not signed in any more to the sign-in page.
    static func leaving(_ notice: Notice) -> Response {
        var response = Response.seeOther("\(WebPath.signIn)?notice=\(notice.rawValue)")
        response.headers.append(SessionCookie.cleared)
        if let name = HTTPField.Name("Clear-Site-Data") {
            // Not "cookies": that would reach the cookies of neighbouring names as well.
            response.headers[name] = "\"storage\""
        }
        return response
    }
}
