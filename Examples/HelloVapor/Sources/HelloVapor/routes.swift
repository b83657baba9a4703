import Vapor

/// Registers every route, each group behind what finds out who is there.
func routes(_ app: Application, _ settings: Settings) throws {
    try app.register(collection: AppleController(settings: settings))

    let browser = app.grouped(BrowserAuthenticator(), OwnPagesMiddleware(settings.publicURL))
    try browser.register(collection: PageController())
    try browser.register(collection: AccountController(settings: settings))

    let api = app.grouped("api").grouped(AppAuthenticator(), UserSession.guardMiddleware())
    try api.register(collection: APIController(settings: settings))
}
