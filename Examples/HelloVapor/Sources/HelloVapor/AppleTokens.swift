import Fluent
import SQLKit
import SignInWithAppleVapor
import Vapor

/// Apple's tokens, in the database of one transaction, or of none.
struct SQLAppleTokenStore: AppleTokenStore {
    static let table = "apple_tokens"

    let database: any Database

    private var sql: any SQLDatabase {
        get throws {
            guard let sql = database as? any SQLDatabase else { throw Abort(.internalServerError) }
            return sql
        }
    }

    func record(of person: String) async throws -> AppleTokenRecord? {
        // SQLite cannot turn each read transaction into a writing one: it begins with a write.
        try await sql.delete(from: Self.table).where("person", .equal, "").run()
        return try await sql.select().column("*").from(Self.table).where("person", .equal, person)
            .first(decoding: AppleTokenRecord.self)
    }

    func replace(_ old: AppleTokenRecord?, with new: AppleTokenRecord?) async throws -> Bool {
        guard let old else {
            if let new { try await sql.insert(into: Self.table).model(new).run() }
            return true
        }
        if let new {
            try await sql.update(Self.table).set(model: new).where("person", .equal, old.person)
                .where("version", .equal, old.version).run()
        } else {
            try await sql.delete(from: Self.table).where("person", .equal, old.person)
                .where("version", .equal, old.version).run()
        }
        return try await record(of: old.person)?.version == new?.version
    }

    func dueRecords(at now: Date, maximumCount: Int) async throws -> [AppleTokenRecord] {
        try await sql.select().column("*").from(Self.table).where("dueAt", .lessThanOrEqual, now)
            .orderBy("dueAt").limit(maximumCount).all(decoding: AppleTokenRecord.self)
    }

    func refusedCount() async throws -> Int {
        try await sql.select().column("person").from(Self.table).where("isRefused", .equal, true)
            .all().count
    }

    func transaction(
        _ body: @escaping @Sendable (SQLAppleTokenStore) async throws -> Void
    ) async throws {
        try await database.transaction { try await body(SQLAppleTokenStore(database: $0)) }
    }
}

/// The columns have the names of the properties of `AppleTokenRecord`.
struct CreateAppleTokens: AsyncMigration {
    func prepare(on database: any Database) async throws {
        try await database.schema(SQLAppleTokenStore.table)
            .field("person", .string, .identifier(auto: false))
            .field("version", .string, .required)
            .field("dueAt", .datetime, .required)
            .field("isRefused", .bool, .required)
            .field("content", .string, .required)
            .create()
        // Fluent's schema builder has no plain indexes.
        try await (database as? any SQLDatabase)?.create(index: "apple_tokens_due")
            .on(SQLAppleTokenStore.table).column("dueAt").run()
    }

    func revert(on database: any Database) async throws {
        try await database.schema(SQLAppleTokenStore.table).delete()
    }
}

/// Revokes the tokens of deleted accounts, and asks Apple about each person once a day.
func appleTokens(_ app: Application, _ settings: Settings) -> AppleTokens<SQLAppleTokenStore> {
    let store = SQLAppleTokenStore(database: app.db)
    return AppleTokens(settings.apple, store: store, sealer: settings.sealer) { user, _, store in
        try await User.endConsent(of: user, on: store.database)
    }
}
