import Foundation

/// Checking a session over HTTP, against a route that checks nothing.
enum SessionContest {
    static func make(apple: BenchApple) async throws -> Contest {
        let folder = try BenchFolder.make()
        let accounts = try await BenchServer.accounts(apple: apple, folder: folder)
        let bare = try await BenchServer.bareRoute()
        let token = try await NativeSignInRequest(
            server: accounts,
            identityToken: try apple.token(person: 1)
        ).send()
        let path = "api/account"
        let bareLoad = Load(url: bare.appending(path: path), token: token)
        let accountLoad = Load(url: accounts.appending(path: path), token: token)
        return Contest(
            title: "Session check, GET /api/account over HTTP (load by \(Load.name), same process)",
            contenders: [
                Contest.Contender(name: "Hummingbird, a bare route", measure: bareLoad.measure),
                Contest.Contender(
                    name: "accounts server, session and account",
                    measure: accountLoad.measure
                ),
            ]
        )
    }
}
