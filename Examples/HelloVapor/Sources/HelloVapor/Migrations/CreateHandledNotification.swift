import Fluent

struct CreateHandledNotification: AsyncMigration {
    func prepare(on database: any Database) async throws {
        try await database.schema(HandledNotification.schema)
            .field("id", .string, .identifier(auto: false))
            .field("expires_at", .datetime, .required)
            .create()
    }

    func revert(on database: any Database) async throws {
        try await database.schema(HandledNotification.schema).delete()
    }
}
