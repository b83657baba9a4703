import Foundation

/// What more clients, more keys and a second core change.
enum GrowthContest {
    static let clientTitle = "Growth with the number of client identifiers and keys"
    static let coreTitle = "Two tasks at the same time"

    static func make(apple: BenchApple) throws -> [Contest] {
        let token = try apple.token(person: 1)
        func contender(_ name: String, clients: Int, keys: Int) -> Contest.Contender {
            VerificationContest.signInWithApple(
                name,
                apple: apple,
                token: token,
                clientCount: clients,
                keyCount: keys
            )
        }
        return [
            Contest(
                title: clientTitle,
                contenders: [
                    contender("1 client identifier, 3 keys", clients: 1, keys: 3),
                    contender("10 client identifiers, 3 keys", clients: 10, keys: 3),
                    contender("1000 client identifiers, 3 keys", clients: 1000, keys: 3),
                    contender("1 client identifier, 64 keys", clients: 1, keys: 64),
                ],
                turnCount: VerificationContest.turnCount
            )
        ]
    }

    /// Contests of two contenders each: one task, two tasks.
    static func makeCores(apple: BenchApple) throws -> [Contest] {
        let token = try apple.token(person: 1)
        return [
            Contest(
                title: coreTitle + ": " + VerificationContest.signatureName,
                contenders: try [1, 2].map {
                    try VerificationContest.signatureAlone(
                        apple: apple,
                        token: token,
                        count: VerificationContest.parallelVerificationCount,
                        taskCount: $0
                    )
                    .renamed("tasks: \($0)")
                },
                turnCount: VerificationContest.turnCount
            ),
            Contest(
                title: coreTitle + ": " + VerificationContest.wholeName,
                contenders: [1, 2].map {
                    VerificationContest.signInWithApple(
                        "tasks: \($0)",
                        apple: apple,
                        token: token,
                        count: VerificationContest.parallelVerificationCount,
                        taskCount: $0
                    )
                },
                turnCount: VerificationContest.turnCount
            ),
        ]
    }
}
