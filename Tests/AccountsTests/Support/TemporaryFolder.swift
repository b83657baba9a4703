import Foundation

/// A folder of one test's own, gone when the test is over.
struct TemporaryFolder {
    let url: URL

    var databasePath: String { url.appending(path: "accounts.sqlite").path }

    static func with<Answer>(
        _ body: (TemporaryFolder) async throws -> Answer
    ) async throws -> Answer {
        let url = FileManager.default.temporaryDirectory
            .appending(path: "accounts-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        let result: Result<Answer, any Error>
        do {
            result = .success(try await body(TemporaryFolder(url: url)))
        } catch {
            result = .failure(error)
        }
        try FileManager.default.removeItem(at: url)
        return try result.get()
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
