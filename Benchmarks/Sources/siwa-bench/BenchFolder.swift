import Foundation

/// Where a benchmark keeps its database; the system empties the place in its own time.
enum BenchFolder {
    static func make() throws -> URL {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "siwa-bench-\(UInt64.random(in: 0 ... .max))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder
    }

    /// Reads all files of a folder into the system's cache, where they are after a day of use.
    static func warm(_ folder: URL) throws {
        let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        while let file = files?.nextObject() as? URL {
            guard let handle = try? FileHandle(forReadingFrom: file) else { continue }
            while let part = try? handle.read(upToCount: 8 << 20), !part.isEmpty {}
            try handle.close()
        }
    }
}
