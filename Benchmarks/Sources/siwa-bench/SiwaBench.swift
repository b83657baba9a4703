import Foundation

/// Measures what the project promises to be fast, against the floor, in one run.
///
/// Every row is a ratio: the contenders of a contest take turns round by round, and the medians are
/// compared. Absolute figures hold for one machine at one moment only.
@main
struct SiwaBench {
    static func main() async throws {
        let roundCount = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 5
        let apple = try BenchApple()
        let contests = [
            try await VerificationContest.make(apple: apple),
            try await SessionContest.make(apple: apple),
            try await SignInContest.make(apple: apple),
        ]
        for contest in contests {
            print(try await contest.run(roundCount: roundCount).text)
        }
    }
}
