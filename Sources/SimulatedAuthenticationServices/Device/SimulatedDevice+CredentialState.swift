import AppleIdentity
import Foundation

/// What the device knows of the people of its app.
extension SimulatedDevice {
    /// How many people are remembered.
    private static let maximumKnownCount = 64

    /// Tells the state of a credential, and the app when it has become `revoked`.
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

    /// Asks what became of the people whom the app knows, and tells the app of a revocation.
    ///
    /// A person who deleted the Apple Account is not told of: only the state says so.
    public func refresh() async {
        let users = state.withLock { $0.knownStates.filter { $0.value == .authorized }.map(\.key) }
        for user in users { _ = await learnState(of: user) }
    }

    /// Refreshes again and again, until the task is cancelled.
    ///
    /// - Parameter interval: how long it waits in between.
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

    /// Remembers that the app was given a credential of a person.
    func remember(_ user: String) { _ = note(.authorized, of: user) }

    /// Like a real device, it goes on telling what it knows when Apple can't be reached.
    private func learnState(
        of user: String
    ) async -> ASAuthorizationAppleIDProvider.CredentialState {
        guard let account else { return .notFound }
        let app = app
        do throws(SimulatedAppleError) {
            let answer = try await service.credentialState(of: account, app: app, user: user)
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
