import Foundation
import GRDB

/// How long users wait while the accounts server deletes expired rows, and while it has nothing to delete.
///
/// The server deletes 100 000 rows at its start and then as many a minute (`MaintenanceSchedule`). It is started
/// once for each such round, which is watched to its end; afterwards the same load continues for the same time without one.
enum CleanUpReport {
    /// How many used tokens are remembered when it begins.
    private static let rowCount = 1_000_000
    /// How many of them the server deletes in one round.
    private static let roundRowCount = 100_000
    /// How many rounds are watched.
    private static let roundCount = 3
    /// How long a round may take; the server begins the next one a minute after it.
    private static let maximumTime = Duration.seconds(50)
    /// How often it is asked whether a round has ended.
    private static let pollTime = Duration.milliseconds(100)

    static func make(apple: ServedApple) async throws -> FigureTable {
        let folder = try BenchFolder.make()
        // The server makes the tables.
        try apple.accountsServer(folder: folder).end()
        let database = try DatabaseQueue(path: folder.appending(path: "siwa.sqlite").path)
        try await fill(database)
        let people = PersonNumbers()
        var (beside, alone) = (WaitingTimes(), WaitingTimes())
        var seconds = 0.0
        var endCount = 0
        for round in 1...roundCount {
            let server = try apple.accountsServer(folder: folder)
            let load = try await WaitingLoad(apple: apple, server: server, people: people)
            let clock = ContinuousClock()
            let start = clock.now
            var isOver = false
            beside += try await load.measure {
                isOver = try await ends(round: round, database, until: start + maximumTime)
            }
            endCount += isOver ? 1 : 0
            let time = clock.now - start
            alone += try await load.measure { try await Task.sleep(for: time) }
            seconds += time / .seconds(1)
            try server.end()
        }
        // After a failed batch, the server continues a minute later.
        let note = endCount == roundCount ? "" : ", \(endCount) of them to the end"
        return table(beside, alone, seconds: seconds / Double(roundCount), note: note)
    }

    private static func table(
        _ beside: WaitingTimes,
        _ alone: WaitingTimes,
        seconds: Double,
        note: String
    ) -> FigureTable {
        FigureTable(
            title: "Longest wait while \(roundRowCount) of a million rows are deleted, "
                + String(format: "%d times, %.1f s each", roundCount, seconds) + note,
            unit: "ms",
            rows: [
                alone.signIns.row("sign-in, nothing to delete", isFloor: true),
                beside.signIns.row("sign-in during the deletion"),
                alone.checks.row("session check, nothing to delete", isFloor: true),
                beside.checks.row("session check during the deletion"),
            ]
        )
    }

    /// Each row has its own expiry, so the rows of one round are spread over the whole table, as in a server that has
    /// run for long.
    private static func fill(_ database: DatabaseQueue) async throws {
        let future = Int((Date().timeIntervalSince1970 + 86_400) * 1_000_000)
        try await database.write { database in
            try database.execute(
                sql: """
                    WITH RECURSIVE number(n) AS
                        (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < ?)
                    INSERT INTO used_once
                        SELECT randomblob(32), iif(n <= ?, n, ? + n) FROM number
                    """,
                arguments: [rowCount, roundCount * roundRowCount, future]
            )
        }
        try await database.writeWithoutTransaction { database in
            _ = try database.checkpoint(.truncate)
        }
    }

    /// Waits until a round has ended; the rows that expired first are deleted first.
    private static func ends(
        round: Int,
        _ database: DatabaseQueue,
        until end: ContinuousClock.Instant
    ) async throws -> Bool {
        while ContinuousClock.now < end {
            let isOver = try await database.read { database in
                try Int.fetchOne(
                    database,
                    sql: "SELECT 1 FROM used_once WHERE remembered_until <= ? LIMIT 1",
                    arguments: [round * roundRowCount]
                ) == nil
            }
            if isOver { return true }
            try await Task.sleep(for: pollTime)
        }
        return false
    }
}

extension [Double] {
    /// The longest of seconds, and within how many most of them were.
    fileprivate func row(_ name: String, isFloor: Bool = false) -> FigureTable.Row {
        let sorted = sorted()
        let most = sorted.isEmpty ? 0 : sorted[sorted.count * 99 / 100] * 1_000
        return FigureTable.Row(
            name: name,
            value: (sorted.last ?? 0) * 1_000,
            note: String(format: "99 %% of %d within %.1f ms", count, most),
            isFloor: isFloor
        )
    }
}
