import Fluent
import FluentSQLiteDriver
import Leaf
import Vapor

/// Sets up database, sessions, pages, routes and background work.
func configure(_ app: Application, _ settings: Settings) async throws {
    app.databases.use(.sqlite(.file(settings.database)), as: .sqlite)
    app.migrations.add(SessionRecord.migration)
    app.migrations.add(CreateTables())
    app.migrations.add(CreateHandledNotification())
    try await app.autoMigrate()

    app.sessions.use(.fluent)
    app.sessions.configuration = .browser(settings)
    // First, so error responses get the headers too.
    app.middleware.use(HeadersMiddleware(), at: .beginning)
    let files = app.directory.publicDirectory
    app.middleware.use(FileMiddleware(publicDirectory: files, cachePolicy: .noCache))
    app.middleware.use(app.sessions.middleware)
    app.views.use(.leaf)

    app.lifecycle.use(AppleWorker(settings: settings))
    // By default a silent connection stays open.
    app.http.server.configuration.idleTimeout = .seconds(60)
    try routes(app, settings)
}

extension SessionsConfiguration {
    /// How long a browser or an app stays signed in.
    static let lifetime: TimeInterval = 14 * 86_400

    /// Scripts can't read the cookie; by default Vapor's is not HttpOnly.
    static func browser(_ settings: Settings) -> Self {
        SessionsConfiguration(cookieName: settings.sessionCookieName) { sessionID in
            HTTPCookies.Value(
                string: sessionID.string,
                maxAge: Int(lifetime),
                isSecure: settings.publicURL.hasPrefix("https:"),
                isHTTPOnly: true,
                sameSite: .lax
            )
        }
    }
}
