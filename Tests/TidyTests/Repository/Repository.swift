import Foundation

/// The files of this package, as they lie on the disk.
enum Repository {
    /// The package's own folder, found from where this file was compiled.
    static let root = URL(filePath: #filePath)
        .deletingLastPathComponent()
        .deletingLastPathComponent()
        .deletingLastPathComponent()
        .deletingLastPathComponent()
        // Below /tmp a path has two spellings on macOS; the files of the folder come in this one.
        .standardizedFileURL

    static func swiftFiles(below folder: String) throws -> [SourceFile] {
        try files(below: folder) { $0.pathExtension == "swift" }
    }

    static func pythonFiles(below folder: String) throws -> [SourceFile] {
        try files(below: folder) { $0.pathExtension == "py" }
    }

    static func markdownFiles() throws -> [SourceFile] {
        try files(below: "") { $0.pathExtension == "md" }
    }

    static func jsonFiles(below folder: String) throws -> [SourceFile] {
        try files(below: folder) { $0.pathExtension == "json" }
    }

    static func templates(below folder: String) throws -> [SourceFile] {
        try files(below: folder) { $0.pathExtension == "mustache" }
    }

    static func contains(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: root.appending(path: path).path)
    }

    private static func files(
        below folder: String,
        where isWanted: (URL) -> Bool
    ) throws -> [SourceFile] {
        // Folders with a leading dot hold what was built or installed, never our own files.
        let enumerator = FileManager.default.enumerator(
            at: root.appending(path: folder),
            includingPropertiesForKeys: nil,
            options: .skipsHiddenFiles
        )
        var files: [SourceFile] = []
        for case let url as URL in enumerator ?? .init() where isWanted(url) {
            let path = String(url.standardizedFileURL.path.dropFirst(root.path.count))
            files.append(
                SourceFile(
                    path: path.hasPrefix("/") ? String(path.dropFirst()) : path,
                    text: try String(contentsOf: url, encoding: .utf8)
                )
            )
        }
        return files.sorted { $0.path < $1.path }
    }
}
