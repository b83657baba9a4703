import Foundation
import SignInWithApple

/// The code of the article about the life-cycle; the tidy tests compare the two.
struct LifeCycleExample {
    /// What a server has in its database, in memory.
    actor Accounts {
        var names: [UserID: String] = [:]
        var signedOut: Set<UserID> = []
        var undeliverable: Set<String> = []
        private var isDown = false

        struct Down: Error {}

        /// From the next write on, the database can't be reached.
        func setDown(_ isDown: Bool) { self.isDown = isDown }

        func name(_ user: UserID, _ name: String) { names[user] = name }

        func open(_ user: UserID) throws {
            try checkIsUp()
            names[user] = names[user] ?? "Maya"
        }

        func signOut(_ user: UserID) throws {
            try checkIsUp()
            signedOut.insert(user)
        }

        func delete(_ user: UserID) throws {
            try checkIsUp()
            names[user] = nil
        }

        func setDeliverable(_ email: String?, _ isDeliverable: Bool) throws {
            try checkIsUp()
            guard let email else { return }
            if isDeliverable { undeliverable.remove(email) } else { undeliverable.insert(email) }
        }

        func move(_ user: UserID, to newUser: UserID) {
            names[newUser] = names.removeValue(forKey: user)
        }

        private func checkIsUp() throws {
            if isDown { throw Down() }
        }
    }

    let apple: AppleSignIn
    let accounts: Accounts
    let store: DemoAppleTokenStore
    let tokens: AppleTokens<DemoAppleTokenStore>

    init(apple: AppleSignIn, sealer: TokenSealer) throws {
        let (accounts, store) = (Accounts(), try DemoAppleTokenStore())
        let tokens = AppleTokens(apple, store: store, sealer: sealer) { user, _, _ in
            try await accounts.signOut(user)
        }
        (self.apple, self.accounts, self.store, self.tokens) = (apple, accounts, store, tokens)
    }

    func signIn(_ grant: AppleGrant) async throws {
        try await store.transaction { store in
            try await tokens.keep(grant.refreshToken, of: grant.identity, in: store)
            try await accounts.open(grant.identity.userID)
        }
    }

    func deleteAccount(_ user: UserID) async throws {
        try await store.transaction { store in
            try await tokens.queueRevocations(of: user, in: store)
            try await accounts.delete(user)
        }
    }

    func receive(_ body: Data) async throws {
        let notification = try await apple.notification(from: body)
        try await store.transaction { store in
            guard let event = try await tokens.handle(notification, in: store) else { return }
            switch event.kind {
            case .consentRevoked: try await accounts.signOut(event.subject)
            case .accountDeleted, .accountDelete: try await accounts.delete(event.subject)
            case .emailDisabled: try await accounts.setDeliverable(event.email, false)
            case .emailEnabled: try await accounts.setDeliverable(event.email, true)
            default: break
            }
        }
    }

    func send(
        _ users: [UserID],
        to team: TeamID,
        leavingOut kept: Set<UserID>,
        keep: (UserID, _ identifier: UserID) async throws -> Void
    ) async throws -> MigrationProgress {
        try await apple.migration(of: "com.example.juice")
            .transferIdentifiers(for: users, to: team, leavingOut: kept) { step in
                if case .success(let identifier) = step.outcome {
                    try await keep(step.user, identifier)
                }
            }
    }

    func receive(_ identifiers: [UserID: UserID]) async throws {
        try await apple.migration(of: "com.example.juice")
            .users(forTransferIdentifiers: identifiers.keys) { step in
                if case .success(let moved) = step.outcome, let user = identifiers[step.user] {
                    await accounts.move(user, to: moved.user)
                }
            }
    }
}
