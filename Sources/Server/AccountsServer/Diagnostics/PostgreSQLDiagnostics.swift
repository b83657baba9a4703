import Accounts
import AccountsPostgreSQL
import Foundation

/// The checks of a PostgreSQL database.
struct PostgreSQLDiagnostics {
    /// The first version with all features that the statements need.
    static let minimumVersionNumber = 130_000
    /// The number of servers during a rolling update: an old and a new one.
    static let usualServerCount = 2

    let facts: PostgreSQLFacts
    let settings: ConnectionSettings

    var findings: [DiagnosticFinding] {
        [version, role, encoding, collation, durability, encryption, rights, tables]
            + (facts.isUnfinishedCopy ? [DatabaseFindings.unfinishedCopy] : [])
            + [connections, clock] + DatabaseFindings.secrets(facts.unopenedSecrets)
    }

    /// The finding when the database cannot be inspected.
    static func unreachable(_ error: AccountStoreError) -> DiagnosticFinding {
        Check("database server").failure(
            "\(error.hint); try the same URL with psql, and make sure that one of its hosts is the primary"
        )
    }

    private var version: DiagnosticFinding {
        let check = Check("database server")
        let number = facts.versionNumber
        let words = "PostgreSQL \(number / 10_000).\(number % 10_000)"
        return number >= Self.minimumVersionNumber
            ? check.ok(words)
            : check.failure("\(words) is too old; update it to 13 or later")
    }

    private var role: DiagnosticFinding {
        facts.isStandby
            ? Check("database role").failure(
                "this is a read-only standby; name the primary, or all hosts without target_session_attrs"
            )
            : Check("database role").ok("a writable primary")
    }

    private var encoding: DiagnosticFinding {
        facts.encoding == "UTF8"
            ? Check("database encoding").ok("UTF8")
            : Check("database encoding").failure(
                "it is \(facts.encoding); create a database with --encoding UTF8 --template template0"
            )
    }

    private var collation: DiagnosticFinding {
        let check = Check("database collation")
        if facts.isCollationOutdated {
            return check.failure(
                "the system's \(facts.collation) has changed since the indexes were built; run REINDEX DATABASE, then ALTER DATABASE … REFRESH COLLATION VERSION"
            )
        }
        let isPlain = ["C", "POSIX"].contains(facts.collation) || facts.collation.hasPrefix("C.")
        return isPlain
            ? check.ok(facts.collation)
            : check.warning(
                "it is \(facts.collation), whose indexes a system update may corrupt; C.UTF-8 never changes"
            )
    }

    private var durability: DiagnosticFinding {
        let check = Check("database durability")
        let off = facts.durability.filter { $0.value == "off" }.keys.sorted()
        guard off.isEmpty else {
            return check.failure(
                "\(off.joined(separator: ", ")) off: a power failure loses acknowledged changes; turn it on"
            )
        }
        // With a synchronous standby, changes that are only local are lost at a failover.
        guard facts.durability["synchronous_commit"] != "local" else {
            return check.warning(
                "synchronous_commit is local: a failover may lose acknowledged changes; set it to on"
            )
        }
        return check.ok("fsync, synchronous_commit and full_page_writes are on")
    }

    private var encryption: DiagnosticFinding {
        let check = Check("database encryption")
        if let version = facts.tlsVersion {
            guard let warning = settings.warning else { return check.ok(version) }
            return check.warning("\(version), but \(warning)")
        }
        return facts.isLocal
            ? check.ok("none; the connection stays on this machine")
            : check.failure(
                "none: anyone on the network path can read and change everything; use sslmode=verify-full"
            )
    }

    private var rights: DiagnosticFinding {
        let check = Check("database rights")
        guard let schema = facts.schema else {
            return check.failure(
                "the user has no schema that it can use; run CREATE SCHEMA public, or set search_path"
            )
        }
        guard facts.mayCreateTables else {
            return check.failure(
                "the user can't create tables in the schema \(schema); run GRANT CREATE, or make the user the database's owner"
            )
        }
        guard facts.foreignTables.isEmpty else {
            return check.failure(
                "the user does not own \(facts.foreignTables.joined(separator: ", ")), so a new version of the program can't migrate them; run ALTER TABLE … OWNER TO"
            )
        }
        return check.ok("the user owns the tables of the schema \(schema)")
    }

    private var tables: DiagnosticFinding {
        guard let version = facts.schemaVersion else {
            return Check("database tables").ok("none yet; the server creates them")
        }
        let current = PostgreSQLFacts.currentSchemaVersion
        if version > current { return DatabaseFindings.newerTables }
        return version == current
            ? DatabaseFindings.currentTables
            : DatabaseFindings.olderTables(
                "older programs can't start after that: back it up first"
            )
    }

    private var connections: DiagnosticFinding {
        let check = Check("database connections")
        let left = facts.connectionsLeft
        let servers = left / settings.poolSize
        let words =
            "\(left) are left: with pool_size \(settings.poolSize), enough for \(servers) more \(servers == 1 ? "server" : "servers")"
        guard servers > 0 else {
            return check.failure("\(words); raise max_connections, or lower pool_size")
        }
        return servers < Self.usualServerCount
            ? check.warning("\(words); raise max_connections for an update")
            : check.ok(words)
    }

    private var clock: DiagnosticFinding {
        let check = Check("database clock")
        let difference = facts.clockDifference
        guard abs(difference) > AppleVisit.clockDifferenceUsual else {
            return check.ok(
                "matches this machine's clock within \(Int(AppleVisit.clockDifferenceUsual)) seconds"
            )
        }
        let seconds = Int(min(abs(difference), TimeInterval(Int32.max)))
        return check.finding(
            abs(difference) > MaintenanceService.maximumClockDifference ? .failure : .warning,
            "\(seconds) seconds \(difference > 0 ? "ahead of" : "behind") this machine's; synchronize both with NTP"
        )
    }
}
