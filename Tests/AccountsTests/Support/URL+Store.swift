import Foundation
import TestSupport

/// A folder of one test's own, gone when the test is over.
struct TemporaryFolder {
    let url: URL

    var databasePath: String { url.appending(path: "accounts.sqlite").path }

    static func with<Answer>(
        _ body: (TemporaryFolder) async throws -> Answer
    ) async throws -> Answer {
        try await withTemporaryFolder { try await body(TemporaryFolder(url: $0)) }
    }

    /// Every byte of every file in the folder: database, log and index.
    func everything() throws -> Data {
        let files = try FileManager.default.contentsOfDirectory(
            at: url,
            includingPropertiesForKeys: nil
        )
        return try files.reduce(into: Data()) { $0.append(try Data(contentsOf: $1)) }
    }
}
