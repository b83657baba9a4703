import AppleIdentity
import Foundation

extension SignInClient {
    /// Signs in with a credential that the app got elsewhere, such as from a bridge of Flutter or React Native.
    ///
    /// The credential is stored before it is sent, whatever else runs. If a sign-in is under way, it is sent after that.
    /// A store that refuses it does not keep it from the server.
    ///
    /// - Parameters:
    ///   - identityToken: the identity token, which the server verifies.
    ///   - authorizationCode: the authorization code; without one, a deletion can't end the link at Apple.
    ///   - fullName: the name, which Apple returns only at the first sign-in.
    ///   - nonce: the nonce of the request, before or after hashing. The server refuses a token with a nonce if this is
    ///     nil.
    /// - Returns: the user as the server confirmed them.
    /// - Throws: ``SignInKitError``; `invalidResponse` if the token is not one, `refused(code:)` such as
    ///   `token_nonce_mismatch`.
    public func signIn(
        identityToken: String,
        authorizationCode: String?,
        fullName: PersonName?,
        nonce: String?
    ) async throws(SignInKitError) -> SignedInPerson {
        guard let user = UserID(subjectOf: identityToken) else {
            throw SignInKitError(.invalidResponse, hint: "the identity token is not a signed token")
        }
        let credential = AppleCredential(
            user: user,
            identityToken: identityToken,
            authorizationCode: authorizationCode,
            fullName: fullName
        )
        return try await signIn(credential, nonce: nonce)
    }

    /// Stores a credential that no sheet of this client returned, and sends it when no other sign-in runs.
    func signIn(
        _ credential: AppleCredential,
        nonce: String?
    ) async throws(SignInKitError) -> SignedInPerson {
        await keep(credential, nonce: nonce)
        return try await signInKept()
    }

    /// Sends what ``keep(_:nonce:)`` stored, when no other sign-in runs.
    func signInKept() async throws(SignInKitError) -> SignedInPerson {
        defer { beginFollowUp() }
        while isSigningIn {
            await withCheckedContinuation { waitingForSignIn.append($0) }
        }
        return try await signingIn { () async throws(SignInKitError) in
            try await self.sendKept()
        }
    }
}

extension UserID {
    /// Reads the subject of a token without verifying it, as the key of what the device stores.
    fileprivate init?(subjectOf token: String) {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, token.utf8.count <= CredentialRecord.maximumByteCount / 2,
            let payload = Data(base64URL: parts[1]),
            let claims = try? JSONObject(parsing: payload),
            let subject = try? JSONFields(claims).text("sub"), !subject.isEmpty
        else { return nil }
        self.init(subject)
    }
}
