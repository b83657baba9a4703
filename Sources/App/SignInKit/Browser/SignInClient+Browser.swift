import AppleIdentity
import Crypto
import Foundation

extension SignInClient {
    /// Signs in with the server's web page, in a browser that redirects to the app.
    ///
    /// Uses PKCE (RFC 7636).
    ///
    /// Source: [RFC 8252](https://www.rfc-editor.org/rfc/rfc8252), [RFC 7636](https://www.rfc-editor.org/rfc/rfc7636)
    ///
    /// - Parameter browser: the browser session.
    /// - Returns: the user.
    /// - Throws: ``SignInKitError``; `canceled` if the user closed the page.
    public func signInWithBrowser(
        _ browser: any BrowserSession
    ) async throws(SignInKitError) -> SignedInPerson {
        self.browser = browser
        return try await signIn(browser, expecting: nil)
    }

    /// Signs in on the server's page; an expected account's user must enter the credentials again.
    func signIn(
        _ browser: any BrowserSession,
        expecting account: String?
    ) async throws(SignInKitError) -> SignedInPerson {
        let clientID = configuration.clientID
        let verifier = Nonces.make()
        return try await signingIn(isShown: account == nil) { () async throws(SignInKitError) in
            let back = try await self.cameBack(
                browser,
                verifier: verifier,
                isAgain: account != nil
            )
            let call = ServerCall.signIn(
                code: back.code,
                verifier: verifier,
                redirectURI: back.redirectURI,
                clientID: clientID
            )
            return try await self.open(by: .browser, call, expecting: account)
        }
    }

    private func cameBack(
        _ browser: any BrowserSession,
        verifier: String,
        isAgain: Bool
    ) async throws(SignInKitError) -> (code: String, redirectURI: URL) {
        let server = configuration.server
        guard ServerConnection.isSecure(server) else { throw SignInKitError(.insecureServer) }
        let state = Nonces.make()
        let (redirectURI, answer): (URL, URL)
        do throws(AuthorizationFailure) {
            redirectURI = try await browser.redirectURI()
            let page = page(redirectURI, state: state, verifier: verifier, isAgain: isAgain)
            answer = try await browser.open(page, callback: redirectURI)
        } catch {
            throw SignInKitError(error)
        }
        return (try AuthorizationAnswer(answer).code(state: state, from: server), redirectURI)
    }

    private func page(
        _ redirectURI: URL,
        state: String,
        verifier: String,
        isAgain: Bool
    ) -> URL {
        let challenge = Data(SHA256.hash(data: Data(verifier.utf8)))
        var items = [
            URLQueryItem(name: "redirect_uri", value: redirectURI.absoluteString),
            URLQueryItem(name: "state", value: state),
            URLQueryItem(name: "code_challenge", value: challenge.base64URL),
            URLQueryItem(name: "code_challenge_method", value: "S256"),
        ]
        if let clientID = configuration.clientID {
            items.append(URLQueryItem(name: "client_id", value: clientID.rawValue))
        }
        if isAgain { items.append(URLQueryItem(name: "prompt", value: "login")) }
        return configuration.server.appending(path: "sign-in/app").appending(queryItems: items)
    }
}
