import Foundation
import SignInWithApple

/// The code of the article about the life-cycle; the tidy tests compare the two.
struct LifeCycleExample {
    struct Link: Codable, Sendable {
        let user: UserID
        let clientID: ClientID
        var sealedRefreshToken: String
        var lastChecked: Date
    }

    /// What a server has in its database, in memory.
    actor Accounts {
        var names: [UserID: String] = [:]
        var links: [UserID: Link] = [:]
        var signedOut: Set<UserID> = []
        var undeliverable: Set<String> = []
        var revocations: [Link] = []
        private var seen: Set<String> = []

        func name(_ user: UserID, _ name: String) { names[user] = name }
        func save(_ link: Link) { links[link.user] = link }
        func signOut(_ user: UserID) { signedOut.insert(user) }
        func delete(_ user: UserID) {
            names[user] = nil
            links[user] = nil
        }

        func queueRevocation(_ link: Link) { revocations.append(link) }
        func isNew(_ notificationID: String) -> Bool { seen.insert(notificationID).inserted }

        func setDeliverable(_ email: String?, _ isDeliverable: Bool) {
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

    func link(_ grant: AppleGrant, at now: Date) async throws {
        guard let refreshToken = grant.refreshToken else { return }
        let user = grant.identity.user
        let link = Link(
            user: user,
            clientID: grant.identity.clientID,
            sealedRefreshToken: try sealer.seal(Data(refreshToken.utf8), for: context(of: user)),
            lastChecked: now
        )
        await accounts.save(link)
    }

    func check(_ link: Link) async throws {
        let validation = try await apple.validate(
            refreshToken(of: link),
            clientID: link.clientID,
            lastChecked: link.lastChecked
        )
        switch validation {
        case .fresh: return
        case .valid(_, let checkedAt):
            var link = link
            link.lastChecked = checkedAt
            await accounts.save(link)
        case .revoked: await accounts.signOut(link.user)
        }
    }

    func deleteAccount(_ link: Link) async throws {
        await accounts.delete(link.user)
        do {
            try await apple.revoke(refreshToken(of: link), clientID: link.clientID)
        } catch let error as SignInError where error.isRetryable {
            await accounts.queueRevocation(link)
        }
    }

    func receive(_ body: Data) async throws {
        let notification = try await apple.notification(from: body)
        guard await accounts.isNew(notification.notificationID) else { return }
        switch notification.event.kind {
        case .consentRevoked: await accounts.signOut(notification.user)
        case .accountDeleted, .accountDelete: await accounts.delete(notification.user)
        case .emailDisabled: await accounts.setDeliverable(notification.event.email, false)
        case .emailEnabled: await accounts.setDeliverable(notification.event.email, true)
        default: break
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

    private func refreshToken(of link: Link) throws -> String {
        let opened = try sealer.open(link.sealedRefreshToken, for: context(of: link.user))
        return String(decoding: opened, as: UTF8.self)
    }

    private func context(of user: UserID) -> SealingContext {
        SealingContext(purpose: "refresh token", parts: [user.rawValue])
    }
}
