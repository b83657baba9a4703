import AppleIdentity
import Foundation

/// The authorization request that the system shows to the user.
extension SignInClient {
    /// Requests only Sign in with Apple.
    func askApple(
        expecting user: UserID?
    ) async throws(SignInKitError) -> (credential: AppleCredential, nonce: String) {
        let question = await question(methods: [.apple], isQuiet: false, user: user)
        guard case .apple(let credential) = try await ask(question.request) else {
            throw SignInKitError(
                .invalidResponse,
                hint: "a password was returned although none was requested"
            )
        }
        try check(credential, for: question.request)
        return (credential, question.nonce)
    }

    /// Stores Apple's response, then sends it.
    func register(
        _ credential: AppleCredential,
        nonce: String?
    ) async throws(SignInKitError) -> SignedInPerson {
        await keep(credential, nonce: nonce)
        defer { beginFollowUp() }
        return try await sendKept()
    }

    /// Stores Apple's response, whatever else runs: Apple sends the name once.
    ///
    /// A store that refuses it is tried again, while the response stays in memory.
    func keep(_ credential: AppleCredential, nonce: String?) async {
        _ = try? await load()
        await changeRegistrations { $0.add(credential, nonce: nonce) }
    }

    /// Sends the stored response, after a request that is under way.
    func sendKept() async throws(SignInKitError) -> SignedInPerson {
        _ = await registering?.value
        return try await register()
    }

    /// Creates a request, and returns it with its nonce before hashing.
    func question(
        methods: Set<AuthorizationRequest.Method>,
        isQuiet: Bool,
        user: UserID?
    ) async -> (request: AuthorizationRequest, nonce: String) {
        let nonce = await makeNonce()
        let request = AuthorizationRequest(
            methods: methods,
            scopes: configuration.scopes,
            nonce: Nonces.hash(of: nonce),
            state: Nonces.make(),
            user: user,
            onlyImmediatelyAvailable: isQuiet
        )
        return (request, nonce)
    }

    /// The server's nonce; a random one if the server is unreachable, because the sign-in may be sent later.
    func makeNonce() async -> String {
        (try? await server.send(.nonce)) ?? Nonces.make()
    }

    /// Waits until a nonce that was fetched ahead needs a replacement.
    ///
    /// - Returns: false if the task was cancelled.
    func waitForNonceRenewal() async -> Bool {
        (try? await time.sleep(for: SignInLimits.nonceRenewalTime)) != nil
    }

    func ask(
        _ request: AuthorizationRequest
    ) async throws(SignInKitError) -> AuthorizedCredential {
        try await requireStore()
        do throws(AuthorizationFailure) {
            return try await authorization.authorize(request)
        } catch {
            throw SignInKitError(error)
        }
    }

    /// Writes the record before the sheet opens, because Apple sends the name once and the store may be locked or full.
    func requireStore() async throws(SignInKitError) {
        // Another client on the same store may have a response in it.
        let stored = try await records.load(.pendingRegistration, as: PendingRegistrations.self)
        let current = registrationsAreUnsaved ? registrations : stored ?? registrations
        try await records.save(current, as: .pendingRegistration)
    }

    /// Verifies that the credential belongs to the request.
    func check(
        _ credential: AppleCredential,
        for request: AuthorizationRequest
    ) throws(SignInKitError) {
        guard credential.state == request.state else {
            throw SignInKitError(.invalidResponse, hint: "the state does not match the request")
        }
        guard !credential.identityToken.isEmpty, !credential.user.rawValue.isEmpty else {
            throw SignInKitError(.invalidResponse, hint: "the credential is incomplete")
        }
    }
}
