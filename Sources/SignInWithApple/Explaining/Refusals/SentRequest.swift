import AppleIdentity
import Foundation

/// What was sent to Apple, as far as it can tell why Apple refused.
struct SentRequest: Sendable {
    enum Purpose: Sendable {
        case code(SentCode)
        case token(String)
        case migration(MigrationRefusal.Question)
    }

    let purpose: Purpose
    let client: ClientCredentials
    /// The audience that Apple expects in a client secret.
    let audience: String
    /// Which clients are Services IDs; nil when nobody said.
    let servicesIDs: Set<ClientID>?
    /// The clients whose requests Apple granted since the start.
    let acceptedClients: Set<ClientID>
    /// The clients for which Apple told of people who go to another team.
    let migratedClients: Set<ClientID>
    /// The time by this server's clock.
    let time: Date
}

extension SentRequest {
    init(
        _ purpose: Purpose,
        by client: ClientCredentials,
        through exchange: AppleExchange,
        servicesIDs: Set<ClientID>? = nil,
        history: SentHistory = SentHistory()
    ) {
        self.init(
            purpose: purpose,
            client: client,
            audience: exchange.service.issuer,
            servicesIDs: servicesIDs,
            acceptedClients: history.acceptedClients,
            migratedClients: history.migratedClients,
            time: exchange.time.now
        )
    }

    /// What this request's refusal means for who moves people.
    func migrationRefusal(_ question: MigrationRefusal.Question) -> MigrationRefusal {
        MigrationRefusal(
            question: question,
            sent: self,
            hasMigrated: migratedClients.contains(client.clientID)
        )
    }

    /// Why Apple may have answered `invalid_request`.
    ///
    /// This library's requests have the documented form, so that what remains is the person.
    var requestCauses: [RefusalCause] {
        switch purpose {
        case .code: []
        case .token: [.userStoppedUsing(Excerpt.quoting(client.clientID.rawValue))]
        case .migration(let question): migrationRefusal(question).requestCauses
        }
    }
}

/// An authorization code that was sent, and what is known of its way.
struct SentCode: Sendable {
    let text: String
    let redirectURI: String?
    /// When it was there at the latest; nil when nobody said.
    let receivedAt: Date?
    /// The first of earlier sendings.
    let sentBefore: SentHistory.Sending?
}
