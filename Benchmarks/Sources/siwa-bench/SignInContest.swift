import Foundation

/// Native first sign-ins over HTTP on SQLite, against one durable insert each.
enum SignInContest {
    static func make(apple: ServedApple) async throws -> [Contest] {
        let usual = try SignInServers(apple: apple)
        var contests = [
            Contest(
                title:
                    "Native first sign-ins on SQLite (durable: synchronous=FULL; load by \(Load.name))",
                contenders: usual.contenders(insertCount: 2_000)
            )
        ]
        if ProcessFigures.areTold {
            contests.append(
                Contest(
                    title: "Native first sign-ins, by the server's processor time",
                    contenders: usual.processorContenders
                )
            )
        }
        #if os(Linux)
            let slow = try SignInServers(
                apple: apple,
                disk: SlowDisk(in: BenchFolder.make())
            )
            contests.append(
                Contest(
                    title: "Native first sign-ins, with \(SlowDisk.name)",
                    contenders: slow.contenders(insertCount: 500)
                )
            )
        #endif
        return contests
    }
}
