import Foundation
import TestSupport

/// A path with a space, as a user's may have; the suite that owns it removes its content.
final class TemporaryPath: Sendable {
    let text: String
    private let root: URL

    init(isMade: Bool) throws {
        root = try makeTemporaryFolder()
        text = root.appending(path: "siwa test").path(percentEncoded: false)
        guard isMade else { return }
        try FileManager.default.createDirectory(
            atPath: text,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
    }

    deinit { try? FileManager.default.removeItem(at: root) }

    static func permissions(_ path: String) throws -> Int? {
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        return (attributes[.posixPermissions] as? NSNumber)?.intValue
    }

    static func setPermissions(_ permissions: Int, of path: String) throws {
        try FileManager.default.setAttributes([.posixPermissions: permissions], ofItemAtPath: path)
    }
}
