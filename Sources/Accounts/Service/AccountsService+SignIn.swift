import AppleIdentity
import Foundation
import Logging
import SignInWithApple

extension AccountsService {
    /// Signs a person in with what the system's sheet gave an app.
    ///
    /// When it fails with a retryable error, the same request may be sent again; the name is not lost.
    ///
    /// - Parameter request: the credential, and the name if Apple told it.
    /// - Returns: the account and a new session.
    /// - Throws: ``AccountsError``, with a code of its own or of `SignInError`; `CancellationError` when
    ///   the task is cancelled.
    public func signInNative(
        _ request: NativeSignIn
    ) async throws -> SignInReceipt {
        try await reporting("native") {
            try checkLength(of: request.nonce, "nonce", AccountsConfiguration.maximumNonceByteCount)
            try checkLength(
                of: request.authorizationCode,
                "authorizationCode",
                AccountsConfiguration.maximumAuthorizationCodeByteCount
            )
            if configuration.requiresServerNonce, request.nonce == nil {
                throw AccountsError.nonceRequired
            }
            let name = try acceptableName(request.fullName?.displayName)
            let identity = try await verified(
                request.identityToken,
                IdentityTokenExpectation(
                    nonce: request.nonce.map(NonceExpectation.rawOrSHA256) ?? .absent,
                    clientIDs: configuration.nativeClientIDs,
                    authorizationCode: request.authorizationCode
                )
            )
            let origin: NonceUse.Origin =
                configuration.requiresServerNonce ? .server : .serverOrApp
            return try await signIn(
                IdentityCandidate(
                    identity: identity,
                    tokenHash: SecretHash(of: request.identityToken),
                    nonce: request.nonce.map {
                        NonceUse(hash: SecretHash(of: $0), origin: origin)
                    },
                    code: request.authorizationCode,
                    redirectURI: nil,
                    name: name,
                    device: request.device,
                    previousSessionToken: request.previousSessionToken
                )
            )
        }
    }

    /// Signs a person in with what Apple's page made their browser post.
    ///
    /// - Parameter request: the posted form and the ceremony it ends.
    /// - Returns: the account and a new session.
    /// - Throws: ``AccountsError``, with a code of its own or of `SignInError`; `CancellationError` when
    ///   the task is cancelled.
    public func signInWeb(_ request: WebSignIn) async throws -> SignInReceipt {
        try await reporting("web") {
            let authorization = try authorization(in: request.callback)
            guard let identityToken = authorization.identityToken else {
                throw AccountsError.callbackIncomplete
            }
            let identity = try await verified(
                identityToken,
                IdentityTokenExpectation(
                    nonce: .raw(request.nonce),
                    clientIDs: [request.servicesID],
                    authorizationCode: authorization.code
                )
            )
            return try await signIn(
                IdentityCandidate(
                    identity: identity,
                    tokenHash: SecretHash(of: identityToken),
                    nonce: NonceUse(hash: SecretHash(of: request.nonce), origin: .ceremony),
                    code: authorization.code,
                    redirectURI: request.redirectURI,
                    name: clippedName(authorization.user?.name?.displayName),
                    device: request.device,
                    previousSessionToken: request.previousSessionToken
                )
            )
        }
    }

    private func authorization(
        in callback: AuthorizationCallback
    ) throws(AccountsError) -> AuthorizationCallback.Authorization {
        do {
            return try callback.authorization()
        } catch {
            throw AccountsError(error)
        }
    }

    private func verified(
        _ identityToken: String,
        _ expectation: IdentityTokenExpectation
    ) async throws -> VerifiedIdentity {
        do {
            return try await apple.verify(identityToken, expecting: expectation)
        } catch let error as SignInError {
            throw AccountsError(error)
        }
    }

    private func checkLength(
        of field: String?,
        _ name: String,
        _ maximumByteCount: Int
    ) throws(AccountsError) {
        guard field?.utf8.count ?? 0 <= maximumByteCount else {
            throw .fieldTooLong(name, maximumByteCount: maximumByteCount)
        }
    }

    private func reporting(
        _ way: String,
        _ signIn: () async throws -> SignInReceipt
    ) async throws -> SignInReceipt {
        let receipt = try await signIn()
        log(
            "signed in",
            receipt.session,
            ["way": "\(way)", "new": "\(receipt.isNewAccount)"]
        )
        return receipt
    }
}
