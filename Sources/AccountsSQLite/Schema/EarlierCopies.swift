import Foundation
import Logging

/// The copies `FILE.before-N` that are made beside a database before its tables change.
///
/// They keep what people were who are deleted later, so that they have an end.
struct EarlierCopies {
    private let folder: URL
    private let beginning: String

    /// - Parameter path: the database.
    init(of path: String) {
        let file = URL(filePath: path)
        folder = file.deletingLastPathComponent()
        beginning = file.lastPathComponent + ".before-"
    }

    /// Removes those that were made longer ago than ``SQLiteAccountStore/earlierCopyMemory``.
    ///
    /// - Parameters:
    ///   - now: the time.
    ///   - logger: told of each.
    func removeOld(now: Date, logger: Logger) {
        for file in files where isOld(file, now) {
            do {
                try FileManager.default.removeItem(at: file)
                logger.notice(
                    "removed a copy made before an earlier update",
                    metadata: ["file": "\(file.path)"]
                )
            } catch {
                logger.warning(
                    "a copy made before an earlier update can't be removed",
                    metadata: ["file": "\(file.path)", "hint": "remove it: it has old data"]
                )
            }
        }
    }

    /// The copies, and what SQLite leaves beside one that somebody has opened.
    private var files: [URL] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.filter(isCopy).sorted().map { folder.appending(path: $0) }
    }

    private func isCopy(_ name: String) -> Bool {
        guard name.hasPrefix(beginning) else { return false }
        var number = name.dropFirst(beginning.count)
        for suffix in SQLiteAccountStore.companionSuffixes where number.hasSuffix(suffix) {
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
        return now.timeIntervalSince(date) > SQLiteAccountStore.earlierCopyMemory
    }
}
