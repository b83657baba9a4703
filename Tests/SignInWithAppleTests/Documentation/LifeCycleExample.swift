import Foundation
import Logging
import SignInWithApple

/// The code of the article about the life-cycle; the tidy tests compare the two.
struct LifeCycleExample {
    struct Link: Codable, Sendable {
        let user: UserID
        let clientID: ClientID
        var sealedRefreshToken: String
        var nextCheck: Date
    }

    /// What a server has in its database, in memory.
    actor Accounts {
        var names: [UserID: String] = [:]
        var links: [UserID: Link] = [:]
        var signedOut: Set<UserID> = []
        var undeliverable: Set<String> = []
        var revocations: [Link] = []
        private var actedOn: Set<String> = []
        private var isDown = false

        struct Down: Error {}

        /// From the next write on, the database can't be reached.
        func setDown(_ isDown: Bool) { self.isDown = isDown }

        func name(_ user: UserID, _ name: String) { names[user] = name }
        func save(_ link: Link) { links[link.user] = link }

        func signOut(_ user: UserID) throws {
            try checkIsUp()
            signedOut.insert(user)
        }

        /// One transaction.
        func delete(_ user: UserID, revoking link: Link?) throws {
            try checkIsUp()
            if let link { revocations.append(link) }
            names[user] = nil
            links[user] = nil
        }

        func finishRevocation(of link: Link) { revocations.removeAll { $0.user == link.user } }
        func hasActed(on notificationID: String) -> Bool { actedOn.contains(notificationID) }

        func remember(_ notificationID: String) throws {
            try checkIsUp()
            actedOn.insert(notificationID)
        }

        private func checkIsUp() throws {
            if isDown { throw Down() }
        }

        func setDeliverable(_ email: String?, _ isDeliverable: Bool) throws {
            try checkIsUp()
            guard let email else { return }
            if isDeliverable { undeliverable.remove(email) } else { undeliverable.insert(email) }
        }

        func move(_ user: UserID, to newUser: UserID) {
            names[newUser] = names.removeValue(forKey: user)
            // A refresh token belongs to the team that has lost the app.
            links[user] = nil
        }
    }

    let apple: AppleSignIn
    let sealer: TokenSealer
    let accounts: Accounts
    let logger: Logger

    func link(_ grant: AppleGrant) async throws {
        guard let refreshToken = grant.refreshToken else { return }
        let user = grant.identity.userID
        let link = Link(
            user: user,
            clientID: grant.identity.clientID,
            sealedRefreshToken: sealer.seal(Data(refreshToken.utf8), for: context(of: user)),
            nextCheck: grant.nextCheck
        )
        await accounts.save(link)
    }

    func check(_ link: Link) async throws {
        let validation = try await apple.validate(
            refreshToken(of: link),
            clientID: link.clientID,
            nextCheck: link.nextCheck
        )
        var link = link
        if validation.finding == .revoked { return try await accounts.signOut(link.user) }
        if let error = validation.error {
            logger.warning("not checked yet", metadata: ["hint": "\(error.hint)"])
        }
        link.nextCheck = validation.nextCheck ?? link.nextCheck
        await accounts.save(link)
    }

    func deleteAccount(_ link: Link) async throws {
        try await accounts.delete(link.user, revoking: link)
    }

    func revokeWhatWaits() async {
        for link in await accounts.revocations {
            do {
                try await apple.revoke(refreshToken(of: link), clientID: link.clientID)
                await accounts.finishRevocation(of: link)
            } catch {
                logger.warning("not revoked yet", metadata: ["error": "\(error)"])
            }
        }
    }

    func receive(_ body: Data) async throws {
        let notification = try await apple.notification(from: body)
        guard await !accounts.hasActed(on: notification.notificationID) else { return }
        switch notification.event.kind {
        case .consentRevoked: try await accounts.signOut(notification.userID)
        case .accountDeleted, .accountDelete:
            try await accounts.delete(notification.userID, revoking: nil)
        case .emailDisabled: try await accounts.setDeliverable(notification.event.email, false)
        case .emailEnabled: try await accounts.setDeliverable(notification.event.email, true)
        default: break
        }
        try await accounts.remember(notification.notificationID)
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

    private func refreshToken(of link: Link) throws -> String {
        let opened = try sealer.open(link.sealedRefreshToken, for: context(of: link.user))
        return String(decoding: opened, as: UTF8.self)
    }

    private func context(of user: UserID) -> SealingContext {
        SealingContext(purpose: "refresh token", parts: [user.rawValue])
    }
}
