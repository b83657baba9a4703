import Fluent

struct CreateUser: AsyncMigration {
    func prepare(on database: any Database) async throws {
        try await database.schema(User.schema)
            .id()
            .field("apple_issuer", .string, .required)
            .field("apple_user", .string, .required)
            .field("name", .string)
            .field("is_name_suggested", .bool, .required)
            .field("email", .string)
            .field("is_mail_forwarded", .bool, .required)
            .field("signed_in_at", .datetime, .required)
            .unique(on: "apple_issuer", "apple_user")
            .create()
    }

    func revert(on database: any Database) async throws {
        try await database.schema(User.schema).delete()
    }
}
