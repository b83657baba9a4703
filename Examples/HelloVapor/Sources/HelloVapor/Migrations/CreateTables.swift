import Fluent
import SQLKit

struct CreateTables: AsyncMigration {
    func prepare(on database: any Database) async throws {
        try await database.schema(User.schema)
            .id()
            .field("apple_issuer", .string, .required)
            .field("apple_user", .string, .required)
            .field("name", .string)
            .field("is_name_suggested", .bool, .required)
            .field("email", .string)
            .field("is_mail_forwarded", .bool, .required)
            .field("mail_changed_at", .datetime)
            .field("signed_in_at", .datetime, .required)
            .unique(on: "apple_issuer", "apple_user")
            .create()
        try await database.schema(UserSession.schema)
            .id()
            .field("user_id", .uuid, .required, .references(User.schema, "id", onDelete: .cascade))
            .field("token_hash", .string)
            .field("nonce_hash", .string)
            .field("created_at", .datetime, .required)
            .unique(on: "token_hash")
            .create()
        // The token of a deleted person stays until it is revoked.
        try await database.schema(RefreshToken.schema)
            .id()
            .field("user_id", .uuid, .references(User.schema, "id", onDelete: .setNull))
            .field("apple_issuer", .string, .required)
            .field("apple_user", .string, .required)
            .field("client_id", .string, .required)
            .field("sealed", .string, .required)
            .field("next_check_at", .datetime, .required)
            .field("attempted_at", .datetime, .required)
            .unique(on: "user_id", "client_id")
            .create()
        try await index(UserSession.schema, ["user_id", "nonce_hash"], on: database)
        try await index(RefreshToken.schema, ["apple_user", "next_check_at"], on: database)
    }

    /// Fluent's schema builder has no plain indexes.
    private func index(_ schema: String, _ columns: [String], on database: any Database)
        async throws
    {
        guard let database = database as? any SQLDatabase else { return }
        for column in columns {
            try await database.create(index: "\(schema)_\(column)").on(schema).column(column).run()
        }
    }

    func revert(on database: any Database) async throws {
        for schema in [RefreshToken.schema, UserSession.schema, User.schema] {
            try await database.schema(schema).delete()
        }
    }
}
