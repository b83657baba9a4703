import Foundation

/// Makes an empty folder, lends it, and removes it.
///
/// - Parameters:
///   - isolation: where the caller runs.
///   - body: uses the folder. Its name is short, because the path of a socket has 104 bytes at most on Apple's systems.
/// - Returns: what the body returns.
/// - Throws: what the body throws, and when the folder can't be made.
public func withTemporaryFolder<Answer>(
    isolation: isolated (any Actor)? = #isolation,
    _ body: (URL) async throws -> Answer
) async throws -> Answer {
    let folder = try makeTemporaryFolder()
    // A process that is ending may still write there: that fails no test.
    defer { try? FileManager.default.removeItem(at: folder) }
    return try await body(folder)
}

/// Makes an empty folder, which the caller removes.
///
/// - Returns: the folder.
/// - Throws: when it can't be made.
public func makeTemporaryFolder() throws -> URL {
    let folder = FileManager.default.temporaryDirectory
        .appending(path: "siwa-\(UInt64.random(in: 0 ... .max))", directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder
}
