import Vapor

/// Registers every route behind its authenticator.
func routes(_ app: Application, _ settings: Settings) throws {
    try app.register(collection: AppleController(settings: settings))
    try app.register(collection: NotificationController(settings: settings))

    let pages = app.grouped(BrowserAuthenticator())
        .grouped(OwnPagesMiddleware(settings.publicURL))
    try pages.register(collection: PageController())
    let signedIn = pages.grouped(
        UserSession.redirectMiddleware { request in
            // Only pages can be opened after the sign-in.
            let path = request.method == .POST ? "/account" : request.url.path
            return "/log-in?return_to=" + path.inQuery
        }
    )
    try signedIn.register(collection: AccountController())
    try signedIn.register(collection: DeletionController(settings: settings))

    let api = app.grouped("api").grouped(AppAuthenticator(), UserSession.guardMiddleware())
    try api.register(collection: APIController(settings: settings))
}
