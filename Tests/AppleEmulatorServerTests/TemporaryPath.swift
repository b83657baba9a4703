import Foundation
import TestSupport

/// Lends the path of an empty folder whose name has a space, as a user's may.
func withTemporaryPath<Answer>(_ body: (String) async throws -> Answer) async throws -> Answer {
    try await withTemporaryFolder { folder in
        let spaced = folder.appending(path: "siwa tls")
        try FileManager.default.createDirectory(
            at: spaced,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        return try await body(spaced.path(percentEncoded: false))
    }
}
