import Foundation
import GRDB

/// A database that is as durable as the accounts server's: one row, one commit, one flush.
struct DurableInserts: Sendable {
    private let queue: DatabaseQueue

    /// Makes the database; what is in force is read back.
    init(folder: URL) throws {
        queue = try DatabaseQueue(path: folder.appending(path: "floor.sqlite").path)
        try queue.writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL")
            guard try Int.fetchOne(database, sql: "PRAGMA synchronous") == 2 else {
                throw BenchError("the floor is not durable")
            }
            try database.execute(sql: "CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT)")
        }
    }

    func insert() async throws {
        try await queue.write { database in
            try database.execute(sql: "INSERT INTO person (name) VALUES ('Maya Ng')")
        }
    }
}
