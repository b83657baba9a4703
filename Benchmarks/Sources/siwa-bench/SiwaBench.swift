import Foundation

/// Measures in one run, against the floor, the operations that must be fast.
///
/// Every row is a ratio: the contenders of a contest take turns round by round, and the medians are
/// compared. Absolute figures apply to one machine at one moment only. Arguments: the number of
/// rounds, and the names of the contests when not all are wanted.
@main
struct SiwaBench {
    private enum ContestName: String, CaseIterable {
        case verification
        case session
        case signIn = "sign-in"
        case peer
        case accounts
        case memory
        case cleanUp = "clean-up"
        case emulator
        case database
        case scale

        /// That of the accounts contains session, sign-in, peer, memory and clean-up.
        static let usual: [ContestName] = [.verification, .accounts, .emulator]

        func make(apple: BenchApple) async throws -> [Contest] {
            switch self {
            case .verification:
                [
                    try await VerificationContest.make(apple: apple),
                    try await StepContest.make(apple: apple),
                ] + (try GrowthContest.makeCores(apple: apple))
                    + (try GrowthContest.make(apple: apple))
            case .session: try await SessionContest.make(apple: ServedApple(apple))
            case .signIn: try await SignInContest.make(apple: ServedApple(apple))
            case .accounts:
                try await SessionContest.make(apple: ServedApple(apple))
                    + (try await SignInContest.make(apple: ServedApple(apple)))
                    + (try await PeerContest.make(apple: ServedApple(apple)))
            case .peer: try await PeerContest.make(apple: ServedApple(apple))
            case .emulator: try await ExchangeContest.make()
            case .database: try await DatabaseContest.make(apple: ServedApple(apple))
            case .scale: try await ScaleContest.make(apple: ServedApple(apple))
            case .memory, .cleanUp: []
            }
        }

        /// The text alternative of its chart; nil without a bar chart.
        var chartTitle: String? {
            switch self {
            case .accounts:
                "Session checks and sign-ins of the accounts server a second; its memory; "
                    + "waiting times during its clean-up"
            case .database:
                "The accounts server on PostgreSQL against pgbench and SQLite, two replicas against "
                    + "one, and what a request costs"
            case .scale:
                "Session checks and sign-ins a second with very many accounts, against ten thousand"
            default: nil
            }
        }

        /// Reports figures that are measured once, where a rate means nothing.
        func figures(apple: BenchApple) async throws -> [FigureTable] {
            let tables = try await reports(apple: apple)
            for table in tables { Output.line(table.text) }
            return tables
        }

        private func reports(apple: BenchApple) async throws -> [FigureTable] {
            let isTold = ProcessFigures.areTold
            switch self {
            case .database where isTold:
                let apple = try await ServedApple(apple)
                return try await [MemoryReport.makeOnPostgreSQL(apple: apple)]
                    + RequestCostReport.make(apple: apple)
            case .accounts where isTold:
                let apple = try await ServedApple(apple)
                return try await [
                    MemoryReport.make(apple: apple), CleanUpReport.make(apple: apple),
                ]
            case .memory where isTold:
                return [try await MemoryReport.make(apple: ServedApple(apple))]
            case .accounts, .cleanUp:
                return [try await CleanUpReport.make(apple: ServedApple(apple))]
            default: return []
            }
        }
    }

    /// The most rounds of a contest.
    private static let maximumRoundCount = 1000

    static func main() async {
        Output.prepare()
        do {
            try await run()
        } catch {
            Output.error("\(error)")
            exit(EXIT_FAILURE)
        }
    }

    private static func run() async throws {
        let arguments = CommandLine.arguments.dropFirst()
        if arguments.first == ServerRole.argument {
            return try await ServerRole(arguments: Array(arguments)).run()
        }
        let (named, roundCount) = try read(arguments)
        let apple = try BenchApple()
        for name in named.isEmpty ? ContestName.usual : named {
            try await run(name, apple: apple, roundCount: roundCount)
        }
    }

    private static func run(
        _ name: ContestName,
        apple: BenchApple,
        roundCount: Int
    ) async throws {
        var tables: [ResultTable] = []
        for contest in try await name.make(apple: apple) {
            let table = try await contest.run(roundCount: roundCount)
            Output.line(table.text)
            tables.append(table)
        }
        let figures = try await name.figures(apple: apple)
        if name == .verification, let chart = VerificationChart(tables) {
            try draw(chart.svg, as: name)
        }
        if let title = name.chartTitle {
            let chart = AccountsChart(title: title, contests: tables, figures: figures)
            try draw(chart.svg, as: name)
        }
    }

    /// The contests named, in their order, and how many rounds each has.
    private static func read(
        _ arguments: ArraySlice<String>
    ) throws -> (names: [ContestName], roundCount: Int) {
        var names: [ContestName] = []
        var roundCount: Int?
        for argument in arguments {
            if let name = ContestName(rawValue: argument), !names.contains(name) {
                names.append(name)
            } else if let count = Int(argument), (1...maximumRoundCount).contains(count),
                roundCount == nil
            {
                roundCount = count
            } else {
                throw BenchError(
                    "\"\(argument)\" is not known, or was given before; usage: siwa-bench "
                        + "[1…\(maximumRoundCount)] "
                        + ContestName.allCases.map { "[\($0.rawValue)]" }.joined(separator: " ")
                )
            }
        }
        return (names, roundCount ?? 5)
    }

    /// Keeps a chart in the folder that the Makefile names.
    private static func draw(_ svg: String, as name: ContestName) throws {
        guard let folder = ProcessInfo.processInfo.environment["SIWA_BENCH_CHARTS"] else { return }
        let file = URL(filePath: folder).appending(path: "\(name.rawValue).svg")
        try svg.write(to: file, atomically: true, encoding: .utf8)
        Output.line("\nThe chart is in \(file.path)")
    }
}
