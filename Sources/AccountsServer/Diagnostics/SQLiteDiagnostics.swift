import Accounts
import AccountsSQLite

/// What to say of a database file.
struct SQLiteDiagnostics {
    /// Bytes below which a disk counts as full: a write-ahead log may grow by as much.
    static let minimumFreeByteCount = 64 * 1024 * 1024

    private static let othersMode = 0o077
    private static let othersWriteMode = 0o022

    let facts: SQLiteFacts

    /// The findings, in their order.
    var findings: [DiagnosticFinding] {
        guard facts.folderMode != nil else {
            return [
                Check("database file").failure(
                    "its folder is not there; make it, for the server's user alone (chmod 700)"
                )
            ]
        }
        guard facts.byteCount != nil else { return [newFile] + freeSpace }
        return [file] + modes + [lock, journal] + freeSpace + content + leftovers
    }

    private var newFile: DiagnosticFinding {
        facts.isWritable
            ? Check("database file").ok("\(facts.path) is not there yet; the server makes it")
            : unwritable
    }

    private var unwritable: DiagnosticFinding {
        Check("database file").failure(
            "this user can't write \(facts.path) and its folder; run the command as the server's user, or change their owner"
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
                Check("database file's mode").warning("other users can open it; chmod 600")
            )
        }
        // In a folder with the sticky bit, others can't replace the file.
        if let mode = facts.folderMode, mode & Self.othersWriteMode != 0, mode & 0o1000 == 0 {
            findings.append(
                Check("database folder's mode").warning(
                    "other users can replace the file; chmod 700"
                )
            )
        }
        return findings
    }

    private var lock: DiagnosticFinding {
        Check("database lock").ok(facts.holder.map { "\($0) has it" } ?? "no process has it")
    }

    /// How a connection flushes is no property of the file: the server sets it, and reads it back.
    private var journal: DiagnosticFinding {
        Check("database journal").ok(
            facts.hasWriteAheadLog
                ? "a write-ahead log; the server starts only with synchronous FULL"
                : "none yet; the server makes it a write-ahead log, and starts only with synchronous FULL"
        )
    }

    private var freeSpace: [DiagnosticFinding] {
        guard let free = facts.freeByteCount else { return [] }
        let check = Check("database disk")
        guard free >= Self.minimumFreeByteCount else {
            return [
                check.failure(
                    "\(Self.size(free)) are free; make room before nothing can be stored any more"
                )
            ]
        }
        guard free >= 2 * (facts.byteCount ?? 0) else {
            return [
                check.warning(
                    "\(Self.size(free)) are free; an update of the tables copies the file first: make room for two copies"
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
                    "\(error.hint); restore a copy, if this is not another program's file"
                )
            ]
        case .success(let content):
            return [Self.check(content.quickCheck), Self.schema(content.schema)]
                + (content.isUnfinishedCopy ? [DatabaseFindings.unfinishedCopy] : [])
        }
    }

    private static func check(_ words: String) -> DiagnosticFinding {
        let check = Check("database content")
        return words == "ok"
            ? check.ok("SQLite's quick check finds nothing")
            : check.failure(
                "it is damaged (\(words)); stop the server, check the disk, restore a copy"
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
                "\(names): they keep people who delete their accounts later; remove those that nobody needs"
            )
        ]
    }

    private static func size(_ byteCount: Int) -> String {
        byteCount < 10 * 1024 * 1024
            ? "\(byteCount / 1024) KiB" : "\(byteCount / (1024 * 1024)) MiB"
    }
}

/// What is said of either kind of database.
enum DatabaseFindings {
    static let currentTables = Check("database tables").ok("as this program makes them")

    static func olderTables(_ besides: String) -> DiagnosticFinding {
        Check("database tables").warning(
            "of an earlier program; the next start changes them, and \(besides)"
        )
    }

    static let newerTables = Check("database tables").failure(
        "a newer program has changed them; run that one, or restore a copy"
    )

    static let unfinishedCopy = Check("database copy").failure(CopyState.unfinishedHint)
}
