import AccountsSQLite
import AppleIdentity
import Foundation
import GRDB
import ServerTestSupport
import Testing

@testable import Accounts

extension TestServer {
    /// The queued email orders, latest last.
    func mailOrders() async throws -> [MailOrder] {
        let sql = "SELECT id, payload FROM outbox WHERE kind <> 'revocation' ORDER BY created_at"
        let rows = try await store.queue.read { database in
            try Row.fetchAll(database, sql: sql).map { row -> (id: String, payload: String) in
                (row["id"], row["payload"])
            }
        }
        return try rows.map { row in
            let task = try OutboxTask(kind: .mail, payload: row.payload)
            guard case .mail(let mail) = task else { throw CocoaError(.coderInvalidValue) }
            return try mail.order(of: OutboxID(row.id), openedBy: sealer)
        }
    }

    /// The token of the link in an email of a kind, optionally to an address.
    func linkToken(_ kind: MailOrder.Kind, to address: String? = nil) async throws -> String {
        let orders = try await mailOrders().filter { order in
            order.kind == kind && (address == nil || order.address == address)
        }
        return try #require(orders.last?.linkToken)
    }
}
