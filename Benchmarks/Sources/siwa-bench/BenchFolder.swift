import Foundation

/// Where a benchmark keeps its database; the system empties the place in its own time.
enum BenchFolder {
    static func make() throws -> URL {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "siwa-bench-\(UInt64.random(in: 0 ... .max))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder
    }
}
