import Fluent

struct CreateUserSession: AsyncMigration {
    func prepare(on database: any Database) async throws {
        try await database.schema(UserSession.schema)
            .id()
            .field("user_id", .uuid, .required, .references(User.schema, "id", onDelete: .cascade))
            .field("token_hash", .string)
            .field("nonce_hash", .string)
            .field("created_at", .datetime, .required)
            .unique(on: "token_hash")
            .create()
    }

    func revert(on database: any Database) async throws {
        try await database.schema(UserSession.schema).delete()
    }
}
