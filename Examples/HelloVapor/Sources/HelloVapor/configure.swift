import Fluent
import FluentSQLiteDriver
import Leaf
import Vapor

/// Sets up the application: database, sessions, pages, routes and jobs.
func configure(_ app: Application, _ settings: Settings) async throws {
    app.databases.use(.sqlite(.file(settings.database)), as: .sqlite)
    app.migrations.add(SessionRecord.migration)
    app.migrations.add(CreateTables())
    app.migrations.add(CreateHandledNotification())
    try await app.autoMigrate()

    app.sessions.use(.fluent)
    app.sessions.configuration = .browser(isSecure: settings.publicURL.hasPrefix("https:"))
    app.middleware.use(FileMiddleware(publicDirectory: app.directory.publicDirectory))
    app.middleware.use(app.sessions.middleware)
    app.views.use(.leaf)

    app.lifecycle.use(AppleJobs(settings: settings))
    // By default a silent connection stays open.
    app.http.server.configuration.idleTimeout = .seconds(60)
    try routes(app, settings)
}

extension SessionsConfiguration {
    static let cookieName = "vapor-session"
    /// How long a browser stays signed in.
    static let lifetime: TimeInterval = 14 * 86_400

    /// Vapor's cookie, out of reach of scripts: by default it is not HttpOnly.
    static func browser(isSecure: Bool) -> Self {
        SessionsConfiguration(cookieName: cookieName) { sessionID in
            HTTPCookies.Value(
                string: sessionID.string,
                maxAge: Int(lifetime),
                isSecure: isSecure,
                isHTTPOnly: true,
                sameSite: .lax
            )
        }
    }
}
