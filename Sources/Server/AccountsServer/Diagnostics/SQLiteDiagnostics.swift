import Accounts
import AccountsSQLite

/// The checks of a database file.
struct SQLiteDiagnostics {
    /// Free bytes below which a disk counts as full; a write-ahead log may grow by as much.
    static let minimumFreeByteCount = 64 * 1024 * 1024

    private static let othersMode = 0o077
    private static let othersWriteMode = 0o022

    let facts: SQLiteFacts

    var findings: [DiagnosticFinding] {
        guard facts.folderMode != nil else {
            return [
                Check("database file").failure(
                    "its folder does not exist; create it with access only for the server's user (chmod 700)"
                )
            ]
        }
        guard facts.byteCount != nil else { return [newFile] + freeSpace }
        return [file] + modes + [lock, journal] + freeSpace + content + leftovers
    }

    private var newFile: DiagnosticFinding {
        facts.isWritable
            ? Check("database file").ok("\(facts.path) does not exist yet; the server creates it")
            : unwritable
    }

    private var unwritable: DiagnosticFinding {
        Check("database file").failure(
            "this user can't write to \(facts.path) or its folder; run the command as the server's user, or change their owner"
        )
    }

    private var file: DiagnosticFinding {
        guard facts.isWritable else { return unwritable }
        return Check("database file").ok("\(facts.path), \(Self.size(facts.byteCount ?? 0))")
    }

    private var modes: [DiagnosticFinding] {
        var findings: [DiagnosticFinding] = []
        if let mode = facts.fileMode, mode & Self.othersMode != 0 {
            findings.append(
                Check("database file's mode").warning("other users can open it; run chmod 600")
            )
        }
        // In a folder with the sticky bit, other users can't replace the file.
        if let mode = facts.folderMode, mode & Self.othersWriteMode != 0, mode & 0o1000 == 0 {
            findings.append(
                Check("database folder's mode").warning(
                    "other users can replace the file; run chmod 700"
                )
            )
        }
        return findings
    }

    private var lock: DiagnosticFinding {
        Check("database lock").ok(facts.holder.map { "held by \($0)" } ?? "not held by any process")
    }

    /// The file does not store how connections flush: the server sets it and checks it.
    private var journal: DiagnosticFinding {
        Check("database journal").ok(
            facts.hasWriteAheadLog
                ? "a write-ahead log; the server starts only with synchronous FULL"
                : "none yet; the server enables a write-ahead log, and starts only with synchronous FULL"
        )
    }

    private var freeSpace: [DiagnosticFinding] {
        guard let free = facts.freeByteCount else { return [] }
        let check = Check("database disk")
        guard free >= Self.minimumFreeByteCount else {
            return [
                check.failure(
                    "\(Self.size(free)) are free; free up space, because a full disk stops all changes"
                )
            ]
        }
        guard free >= 2 * (facts.byteCount ?? 0) else {
            return [
                check.warning(
                    "\(Self.size(free)) are free; a migration of the tables copies the file first: free up space for two copies"
                )
            ]
        }
        return [check.ok("\(Self.size(free)) are free")]
    }

    private var content: [DiagnosticFinding] {
        switch facts.content {
        case nil: return []
        case .failure(let error):
            return [
                Check("database content").failure(
                    "\(error.hint); restore a backup, unless the file belongs to another program"
                )
            ]
        case .success(let content):
            return [Self.check(content.quickCheck), Self.schema(content.schema)]
                + (content.isUnfinishedCopy ? [DatabaseFindings.unfinishedCopy] : [])
                + DatabaseFindings.secrets(content.unopenedSecrets)
        }
    }

    private static func check(_ words: String) -> DiagnosticFinding {
        let check = Check("database content")
        return words == "ok"
            ? check.ok("SQLite's quick check finds no errors")
            : check.failure(
                "it is damaged (\(words)); stop the server, check the disk, and restore a backup"
            )
    }

    private static func schema(_ schema: SQLiteFacts.Schema) -> DiagnosticFinding {
        switch schema {
        case .current: DatabaseFindings.currentTables
        case .older: DatabaseFindings.olderTables("the file is copied to FILE.before-N first")
        case .newer: DatabaseFindings.newerTables
        }
    }

    private var leftovers: [DiagnosticFinding] {
        guard !facts.leftovers.isEmpty else { return [] }
        let names = facts.leftovers.joined(separator: ", ")
        return [
            Check("database copies").warning(
                "\(names): they still contain accounts that were deleted later; delete the copies that you no longer need"
            )
        ]
    }

    private static func size(_ byteCount: Int) -> String {
        byteCount < 10 * 1024 * 1024
            ? "\(byteCount / 1024) KiB" : "\(byteCount / (1024 * 1024)) MiB"
    }
}

/// The findings that both kinds of databases share.
enum DatabaseFindings {
    static let currentTables = Check("database tables").ok("up to date")

    static func olderTables(_ besides: String) -> DiagnosticFinding {
        Check("database tables").warning(
            "created by an older version; the next start migrates them, and \(besides)"
        )
    }

    static let newerTables = Check("database tables").failure(
        "a newer version has migrated them; run that version, or restore a backup"
    )

    /// The finding about the stored secrets; none when they were not read.
    static func secrets(_ unopened: UnopenedSecrets?) -> [DiagnosticFinding] {
        guard let unopened else { return [] }
        let check = Check("stored secrets")
        return [
            unopened.count == 0
                ? check.ok("the sealing keys decrypt all of them")
                : check.failure(
                    "no sealing key decrypts what these keys encrypted: \(unopened); add the keys to SIWA_SEALING_KEYS, or run siwa database reseal --abandon ID"
                )
        ]
    }

    static let unfinishedCopy = Check("database copy").failure(CopyState.unfinishedHint)
}
