import Fluent

struct CreateRevocation: AsyncMigration {
    func prepare(on database: any Database) async throws {
        try await database.schema(Revocation.schema)
            .id()
            .field("user_id", .uuid, .required)
            .field("client_id", .string, .required)
            .field("sealed", .string, .required)
            .create()
    }

    func revert(on database: any Database) async throws {
        try await database.schema(Revocation.schema).delete()
    }
}
