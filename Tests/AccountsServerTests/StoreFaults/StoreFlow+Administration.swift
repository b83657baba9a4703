import AccountsSQLite
import AppleIdentity
import Foundation
import GRDB
import HTTPTypes
import ServerTestSupport
import Testing

/// The requests of administrators' commands.
extension StoreFlow {
    static let administration = [
        asking("the list of accounts", .get, "/users"),
        asking("the accounts that a text names", .get, "/users?named=maya"),
        asking("the list of transfers", .get, "/transfers"),
        asking("the audit log", .get, "/audit"),
        asking("secrets sealed again", .post, "/database/reseal", [:]),
        asking("the list of keys", .get, "/keys"),
        StoreFlow("another key of access tokens") { world in
            _ = try await world.administer(.post, "/keys/rotate", [:])
            return Steps(doneCodes: ["rotation_waiting"]) {
                try await world.administer(.post, "/keys/rotate", [:])
            } check: {
                expectSame(try await world.count("token_keys"), 2)
            }
        },
        StoreFlow("a look at an account") { world in
            let id = try await world.accountID()
            return Steps {
                try await world.administer(.get, "/users/\(id)")
            }
        },
        StoreFlow("the end of an account's sessions") { world in
            let id = try await world.accountID()
            return Steps {
                try await world.administer(.delete, "/users/\(id)/sessions")
            } check: {
                expectSame(try await world.count("sessions"), 0)
            }
        },
        StoreFlow("the end of one of its sessions") { world in
            let id = try await world.accountID()
            let session = try await world.text("SELECT id FROM sessions")
            return Steps(doneCodes: ["session_not_found"]) {
                try await world.administer(.delete, "/users/\(id)/sessions/\(session)")
            } check: {
                expectSame(try await world.count("sessions"), 0)
            }
        },
        StoreFlow("the deletion of an account") { world in
            let token = try await world.server.token()
            let id = try await world.text("SELECT id FROM accounts")
            return Steps(doneCodes: ["account_not_found"]) {
                try await world.administer(.delete, "/users/\(id)")
            } check: {
                try await world.checkNothingIsLeft(of: token)
            }
        },
        StoreFlow("a copy of the database") { world in
            let file = world.folder.appending(path: "copy.sqlite").path()
            // The response begins before the backup does; its last line has the result.
            return world.work {
                let order: JSONObject = ["file": .string(file), "replaces": true]
                _ = try await world.administer(.post, "/database/backup", order)
            } check: {
                #expect(FileManager.default.fileExists(atPath: file))
            }
        },
        StoreFlow("a person who goes to another team") { world in
            _ = try await world.accountID()
            let step: JSONObject = [
                "issuer": .string(try await world.text("SELECT issuer FROM apple_identities")),
                "user": .string(try await world.text("SELECT subject FROM apple_identities")),
                "identifier": "between", "team": "OTHERTEAM1",
            ]
            return Steps {
                try await world.administer(.post, "/transfers", step)
            } check: {
                let list = try await world.administer(.get, "/transfers")
                #expect(list.text.contains("OTHERTEAM1"))
            }
        },
    ]

    private static func asking(
        _ name: String,
        _ method: HTTPRequest.Method,
        _ path: String,
        _ content: JSONObject? = nil
    ) -> StoreFlow {
        StoreFlow(name) { world in
            _ = try await world.accountID()
            return Steps {
                try await world.administer(method, path, content)
            }
        }
    }
}

extension FaultWorld {
    /// The only account, whose user has just signed in.
    fileprivate func accountID() async throws -> String {
        _ = try await server.token()
        return try await text("SELECT id FROM accounts")
    }

    fileprivate func text(_ sql: String) async throws -> String {
        try #require(
            try await server.store.queue.read { try String.fetchOne($0, sql: sql) },
            "\(sql)"
        )
    }
}
