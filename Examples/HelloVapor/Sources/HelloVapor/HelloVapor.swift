import Fluent
import FluentSQLiteDriver
import Leaf
import SignInWithAppleVapor
import Vapor

@main enum HelloVapor {
    static func main() async throws {
        let app = try await Application.make(.detect())
        do {
            let sealer = try TokenSealer(keys: Environment.get("SEALING_KEYS") ?? "")
            let apple = AppleSignIn(configuration: try .init())
            try await configure(app, Settings(apple: apple, sealer: sealer))
            try await app.execute()
        } catch {
            app.logger.report(error: error)
            try? await app.asyncShutdown()
            throw error
        }
        try await app.asyncShutdown()
    }
}

/// The settings, from the environment and the file `.env`.
struct Settings {
    let apple: AppleSignIn
    let sealer: TokenSealer
    var publicURL = Environment.get("PUBLIC_URL") ?? "http://localhost:8080"
    var database = Environment.get("DATABASE") ?? "hello.sqlite"
}

func configure(_ app: Application, _ settings: Settings) async throws {
    app.databases.use(.sqlite(.file(settings.database)), as: .sqlite)
    app.migrations.add(CreateTables())
    app.migrations.add(CreateAppleTokens())
    try await app.autoMigrate()
    // First, so error responses get the headers too.
    app.middleware.use(HeadersMiddleware(), at: .beginning)
    app.middleware.use(FileMiddleware(publicDirectory: app.directory.publicDirectory))
    app.middleware.use(ErrorPageMiddleware())
    // By default a silent connection stays open.
    app.http.server.configuration.idleTimeout = .seconds(60)
    app.views.use(.leaf)
    app.lifecycle.use(AppleTokensLifecycle(appleTokens(app, settings)))
    try routes(app, settings)
}
