import HTTPTypes
import Hummingbird

extension Request {
    /// The token of a ``SignInSession`` that came along: a Bearer token, or a browser's cookie.
    ///
    /// It is only what the client says; look it up among the sessions you opened.
    public var signInSessionToken: String? {
        guard let token = bearerOrCookie, token.utf8.count == SignInSession.tokenCharacterCount
        else { return nil }
        return token
    }

    private var bearerOrCookie: String? {
        guard let authorization = headers[.authorization] else {
            return cookies[SessionCookie.name]?.value
        }
        // RFC 6750, section 2.1: the scheme, one space, the token. The query is never looked at.
        // https://www.rfc-editor.org/rfc/rfc6750#section-2.1
        let parts = authorization.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
        return String(parts[1])
    }
}
