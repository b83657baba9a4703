import AppleIdentity
import Foundation

/// The delivery of Apple's response to the server.
extension SignInClient {
    /// The server's codes for an expired response, which a new sign-in resolves.
    private static let expiredCodes: Set<String> = [
        "token_expired", "nonce_expired", "nonce_unknown", "nonce_used", "apple_refused_grant",
        "token_not_yet_valid", "token_replayed",
    ]

    /// Sends the stored response to the server; concurrent calls share the request.
    func register() async throws(SignInKitError) -> SignedInPerson {
        if let registering { return try await registering.value.get() }
        let task = Task {
            let result = await withBackgroundTime { await attemptRegistration() }
            // Reset before the waiting calls continue, so the next call begins a new request.
            registering = nil
            publish()
            return result
        }
        registering = task
        return try await task.value.get()
    }

    private func attemptRegistration() async -> Result<SignedInPerson, SignInKitError> {
        guard var registration = registrations.next else {
            // Work in the background may have sent it.
            if let person { return .success(person) }
            return .failure(SignInKitError(.notSignedIn, hint: "there is no pending registration"))
        }
        var wasClipped = false
        while true {
            do throws(ServerFailure) {
                let receipt = try await server.send(
                    .signIn(registration),
                    token: sessionRecord.current?.token
                )
                return await confirmed(registration, by: receipt)
            } catch {
                guard error.problem?.code == "name_too_long", !wasClipped else {
                    return await failed(registration, error)
                }
                // Apple sends the name only once, so a shortened one is better than none.
                wasClipped = true
                let clipped = registration.clipped
                await changeRegistrations { $0.replace(registration, with: clipped) }
                registration = clipped
            }
        }
    }

    /// Stores the confirmed session before it removes the response, because a crash must lose neither.
    private func confirmed(
        _ registration: PendingRegistration,
        by receipt: SessionResponse
    ) async -> Result<SignedInPerson, SignInKitError> {
        guard registrations.next == registration else {
            // The user signed out meanwhile, or a newer response of Apple is sent next.
            await changeSessions { $0.end(receipt.token) }
            await changeRegistrations { $0.remove(registration) }
            beginFollowUp()
            return .failure(SignInKitError(.canceled, hint: "signed out during the sign-in"))
        }
        let replaced = sessionRecord.current?.token
        await open(receipt, by: .apple, user: registration.user)
        await changeRegistrations { $0.remove(registration) }
        if let replaced {
            // The server ended it together with the sign-in.
            sessionRecord.ended.removeAll { $0 == replaced }
            await saveSessions()
        }
        return .success(SignedInPerson(account: receipt.account, isConfirmed: true))
    }

    private func failed(
        _ registration: PendingRegistration,
        _ failure: ServerFailure
    ) async -> Result<SignedInPerson, SignInKitError> {
        let error = SignInKitError(failure)
        note(failure)
        if failure.isRetryable {
            await keepToken(failure.problem?.resumeToken, of: registration)
            return .failure(
                SignInKitError(
                    registrationsAreUnsaved ? .registrationUnsaved : .registrationPending,
                    hint: error.hint
                )
            )
        }
        guard let problem = failure.problem else { return .failure(error) }
        if problem.code == "token_replayed" { return await replayed(registration) }
        await changeRegistrations { $0.replace(registration, with: registration.expired) }
        guard Self.expiredCodes.contains(problem.code) else { return .failure(error) }
        return .failure(SignInKitError(.registrationExpired, hint: error.hint))
    }

    private func keepToken(_ token: String?, of registration: PendingRegistration) async {
        guard let token, token != registration.resumeToken else { return }
        var resumable = registration
        resumable.resumeToken = token
        await changeRegistrations { $0.replace(registration, with: resumable) }
    }

    /// The server has the response, name included; its session may be in the store, from another client.
    private func replayed(
        _ registration: PendingRegistration
    ) async -> Result<SignedInPerson, SignInKitError> {
        await changeRegistrations { $0.remove(registration) }
        if await adoptSession(), let person { return .success(person) }
        return .failure(
            SignInKitError(.registrationExpired, hint: "the server's response was lost")
        )
    }
}
