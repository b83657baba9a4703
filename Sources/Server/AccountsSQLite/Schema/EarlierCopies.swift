import Foundation
import Logging

/// The copies `FILE.before-N` of a database that are made before its tables are migrated.
///
/// They are removed after some time because they contain data of users who were deleted later.
struct EarlierCopies {
    private let folder: URL
    private let beginning: String

    /// - Parameter path: the database.
    init(of path: String) {
        let file = URL(filePath: path)
        folder = file.deletingLastPathComponent()
        beginning = file.lastPathComponent + ".before-"
    }

    /// Removes and logs the copies that are older than ``SQLiteDatabase/earlierCopyMemory``.
    func removeOld(now: Date, logger: Logger) {
        for file in files where isOld(file, now) {
            do {
                try FileManager.default.removeItem(at: file)
                logger.notice(
                    "removed an old copy made before an update",
                    metadata: ["file": "\(file.path)"]
                )
            } catch {
                logger.warning(
                    "an old copy made before an update can't be removed",
                    metadata: [
                        "file": "\(file.path)",
                        "hint": "delete it: it contains personal data",
                    ]
                )
            }
        }
    }

    /// The copies, and the files that SQLite creates for a copy that was opened.
    private var files: [URL] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.filter(isCopy).sorted().map { folder.appending(path: $0) }
    }

    private func isCopy(_ name: String) -> Bool {
        guard name.hasPrefix(beginning) else { return false }
        var number = name.dropFirst(beginning.count)
        for suffix in SQLiteDatabase.companionSuffixes where number.hasSuffix(suffix) {
            number = number.dropLast(suffix.count)
            break
        }
        return !number.isEmpty && number.allSatisfy { $0.isASCII && $0.isNumber }
    }

    private func isOld(_ file: URL, _ now: Date) -> Bool {
        let attributes = try? FileManager.default.attributesOfItem(atPath: file.path)
        guard let date = attributes?[.modificationDate] as? Date,
            attributes?[.type] as? FileAttributeType == .typeRegular
        else { return false }
        return now.timeIntervalSince(date) > SQLiteDatabase.earlierCopyMemory
    }
}
