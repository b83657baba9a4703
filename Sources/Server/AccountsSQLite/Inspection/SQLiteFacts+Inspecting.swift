import Accounts
import Foundation
import GRDB
import SignInWithApple

extension SQLiteFacts {
    /// The offset of the byte in the file's header that shows the journal mode.
    ///
    /// Source: [Database File Format](https://www.sqlite.org/fileformat2.html#file_format_version_numbers)
    private static let versionOffset = 18
    private static let writeAheadLogVersion: UInt8 = 2

    /// Inspects a file, which a server may have open.
    ///
    /// - Parameters:
    ///   - path: the file; symbolic links are resolved.
    ///   - sealer: the sealing keys, which are tried on every secret; nil for none.
    package init(inspecting path: String, sealer: TokenSealer? = nil) async {
        let files = FileManager.default
        let path = SQLiteDatabase.resolved(path)
        let folder = URL(filePath: path).deletingLastPathComponent().path
        self.init(path: path)
        let file = try? files.attributesOfItem(atPath: path)
        byteCount = file?[.size] as? Int
        fileMode = file?[.posixPermissions] as? Int
        folderMode = (try? files.attributesOfItem(atPath: folder))?[.posixPermissions] as? Int
        isWritable =
            files.isWritableFile(atPath: folder)
            && (byteCount == nil || files.isWritableFile(atPath: path))
        let system = try? files.attributesOfFileSystem(forPath: folder)
        freeByteCount = (system?[.systemFreeSize] as? NSNumber)?.intValue
        holder = LockHolder.find(path: path + ".lock")
        leftovers = Self.leftovers(of: path, in: folder)
        guard byteCount != nil else { return }
        hasWriteAheadLog = Self.hasWriteAheadLog(path)
        do {
            content = .success(try await Self.content(path, sealer))
        } catch {
            content = .failure(AccountStoreError(error))
        }
    }

    private static func hasWriteAheadLog(_ path: String) -> Bool {
        let handle = FileHandle(forReadingAtPath: path)
        defer { try? handle?.close() }
        let header = try? handle?.read(upToCount: versionOffset + 1)
        guard let header, header.count > versionOffset else { return false }
        return header[versionOffset] == writeAheadLogVersion
    }

    private static func content(_ path: String, _ sealer: TokenSealer?) async throws -> Content {
        let file = try ReadOnlyFile(path: path)
        let schema = try Schema(file)
        let unfinished = "SELECT '1' FROM store_copies WHERE finished_at IS NULL"
        var content = Content(
            quickCheck: try file.texts("PRAGMA quick_check(1)").first ?? "",
            schema: schema,
            isUnfinishedCopy: schema == .current ? try !file.texts(unfinished).isEmpty : false
        )
        guard let sealer, schema == .current else { return content }
        content.unopenedSecrets = try await UnopenedSecrets(sealer: sealer) {
            position,
            count throws(AccountStoreError) in
            var query = Query()
            let values = query.sealedValues(after: position, maximumCount: count)
            var rows: [SQLRows] = []
            for statement in query.statements { rows.append(try file.rows(statement)) }
            return try values.value(in: Results(rows: rows))
        }
        return content
    }

    private static func leftovers(of path: String, in folder: String) -> [String] {
        let own = URL(filePath: path).lastPathComponent
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.filter { $0.hasPrefix(own + ".before-") || $0.hasSuffix(".partial") }.sorted()
    }
}

extension SQLiteFacts.Schema {
    /// Reads the version of a file's tables.
    init(_ file: ReadOnlyFile) throws(AccountStoreError) {
        let applied = Set(try file.texts("SELECT identifier FROM grdb_migrations"))
        let known = Set(SQLiteSchema.migrator.migrations)
        self = applied == known ? .current : applied.isSubset(of: known) ? .older : .newer
    }
}
