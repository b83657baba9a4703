import AppleIdentity
import Foundation

/// What a server hands to an app whose user signed in on Apple's page in a browser.
extension AuthorizationCallback {
    /// The maximum size of a query with the fields of a callback, in bytes.
    package static let maximumQueryByteCount = 64 * 1024

    /// Returns the fields of a posted form as a query, with all but unreserved characters encoded.
    ///
    /// A `user` that cannot be read is left out, because an app would fail at it.
    ///
    /// - Parameter formBody: the body as it was posted.
    /// - Returns: the query; it has no unknown field.
    /// - Throws: the errors of ``init(formBody:)``, and `callback_malformed` if the query is too long.
    package static func query(of formBody: Data) throws(SignInError) -> String {
        _ = try AuthorizationCallback(formBody: formBody)
        let form = try CallbackForm(formBody)
        var fields: [(name: String, value: String)] = []
        for field in CallbackForm.Field.allCases {
            guard field != .user || form.user.value != nil, let value = try form.value(field)
            else { continue }
            fields.append((field.rawValue, value))
        }
        let query = FormCoding.encode(fields)
        guard query.utf8.count <= maximumQueryByteCount else {
            throw .malformedCallback("it is too long for a URL")
        }
        return query
    }
}

extension AppleSignIn {
    /// Exchanges a code for an app that receives only tokens, not the code.
    ///
    /// Nothing is verified: the app sends both texts to the native route, which does, within ten minutes.
    ///
    /// - Parameters:
    ///   - authorization: Apple's response.
    ///   - clientID: the Services ID.
    ///   - redirectURI: the redirect URI of the authorization request.
    /// - Returns: Apple's identity token, and a `resumeToken` with the name and the encrypted response.
    /// - Throws: `SignInError`: an `apple_…` code, or a code of ``clientSecret(for:)``.
    package func exchangeForApp(
        _ authorization: AuthorizationCallback.Authorization,
        clientID: ClientID,
        redirectURI: String
    ) async throws -> (identityToken: String, resumeToken: String) {
        let grant = try await exchange(
            code: authorization.code,
            clientID: clientID,
            redirectURI: redirectURI
        )
        guard let key = configuration.key else {
            throw SignInError(.configurationInvalid, hint: "no key is configured")
        }
        let name = authorization.user?.name.flatMap { try? $0.checked() }
        let resumeToken = try UnfinishedSignIn.resumeToken(
            grant,
            name: name,
            sealer: key.sealer,
            now: time.now
        )
        return (grant.answer.identityToken, resumeToken)
    }
}
