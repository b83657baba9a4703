import AppleIdentity
import Foundation

/// The credential states of the app's users.
extension SimulatedDevice {
    /// The number of users whose states are stored.
    private static let maximumKnownCount = 64

    /// Returns the state of a credential; a change to `revoked` is posted to the app.
    func credentialState(
        forUserID user: String
    ) async -> ASAuthorizationAppleIDProvider.CredentialState {
        switch switches.credentialStates {
        case .device: return await learnState(of: user)
        case .alwaysNotFound: return .notFound
        case .alwaysAuthorized: return .authorized
        case .alwaysRevoked: return .revoked
        }
    }

    /// Updates the credential states from the emulator, and posts
    /// `credentialRevokedNotification` for each revocation.
    ///
    /// For a deleted Apple Account, only the state changes, and no notification is posted.
    public func refresh() async {
        let users = state.withLock { $0.knownStates.filter { $0.value == .authorized }.map(\.key) }
        for user in users { _ = await learnState(of: user) }
    }

    /// Calls ``refresh()`` repeatedly until the task is cancelled.
    ///
    /// - Parameter interval: the pause between two calls.
    public func watch(every interval: Duration = .seconds(2)) async {
        while !Task.isCancelled {
            await refresh()
            do {
                try await time.sleep(for: interval)
            } catch {
                return
            }
        }
    }

    /// Stores that the app has a credential of a user.
    func remember(_ user: String) { _ = note(.authorized, of: user) }

    /// Requests the state; like a real device, it returns the last one if Apple is unreachable.
    private func learnState(
        of user: String
    ) async -> ASAuthorizationAppleIDProvider.CredentialState {
        guard let account else { return .notFound }
        do throws(SimulatedAppleError) {
            let answer = try await service.perform(
                .credentialState(app: app, user: user),
                of: account
            )
            return await tell(try Self.state(answer), of: user)
        } catch {
            if error.isUnknownPerson { return await tell(.notFound, of: user) }
            return state.withLock { $0.knownStates[user] } ?? .notFound
        }
    }

    private func tell(
        _ new: ASAuthorizationAppleIDProvider.CredentialState,
        of user: String
    ) async -> ASAuthorizationAppleIDProvider.CredentialState {
        let old = note(new, of: user)
        if old == .authorized, new == .revoked { await postRevocation() }
        return new
    }

    private func note(
        _ new: ASAuthorizationAppleIDProvider.CredentialState,
        of user: String
    ) -> ASAuthorizationAppleIDProvider.CredentialState? {
        state.withLock { state in
            let old = state.knownStates[user]
            if old == nil, state.knownStates.count >= Self.maximumKnownCount {
                state.knownStates = state.knownStates.filter { $0.value == .authorized }
            }
            guard old != nil || state.knownStates.count < Self.maximumKnownCount else { return nil }
            state.knownStates[user] = new
            return old
        }
    }

    @MainActor private func postRevocation() {
        NotificationCenter.default.post(
            name: ASAuthorizationAppleIDProvider.credentialRevokedNotification,
            object: self
        )
    }

    private static func state(
        _ object: JSONObject
    ) throws(SimulatedAppleError) -> ASAuthorizationAppleIDProvider.CredentialState {
        do throws(JSONFieldError) {
            return try .init(object)
        } catch {
            throw .unreadable(error.description)
        }
    }
}
