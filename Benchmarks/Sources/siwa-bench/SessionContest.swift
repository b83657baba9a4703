import Foundation

/// Checking a session over HTTP, against a route that checks nothing.
enum SessionContest {
    static func make(apple: BenchApple) async throws -> [Contest] {
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
        let title = "Session check, GET /api/account over HTTP (load by \(Load.name))"
        let names = ["Hummingbird, a bare route", "accounts server, session and account"]
        return [
            Contest(
                title: title,
                contenders: zip(names, [bareLoad, accountLoad])
                    .map { Contest.Contender(name: $0, measure: $1.measure) }
            ),
            // What else the machine does hardly shows here.
            Contest(
                title: title + ", by the server's processor time",
                contenders: zip(names, [bareLoad, accountLoad])
                    .map { Contest.Contender(name: $0, measure: $1.measureProcessor) }
            ),
        ]
    }
}
