import Foundation
import Testing

/// A document of this package that is drawn from data: compared, or written by `make fidelity`.
enum Document {
    /// Set to 1, what differs is written instead of refused.
    static let variable = "SIWA_WRITE_DOCUMENTS"

    static func file(_ path: String) -> URL {
        URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appending(path: path)
    }

    static func text(_ path: String) throws -> String {
        try String(contentsOf: file(path), encoding: .utf8)
    }

    /// Checks that a document says what the data gives.
    static func expect(
        _ path: String,
        toBe drawn: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        if ProcessInfo.processInfo.environment[variable] == "1" {
            try Data(drawn.utf8).write(to: file(path))
        }
        let isCurrent = try text(path) == drawn
        #expect(isCurrent, "run make fidelity and commit \(path)", sourceLocation: sourceLocation)
    }
}
