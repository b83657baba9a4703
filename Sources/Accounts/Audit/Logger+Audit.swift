import Logging

extension Logger {
    /// Writes a line at level `info` for each entry of the audit log among some writes.
    ///
    /// A store calls it once they are committed. The lines have identifiers alone, no network address and no name: logs
    /// are kept in other places, and for another time, than the entries.
    ///
    /// - Parameter writes: what was committed.
    package func audit(_ writes: [StoreWrite]) {
        for case .recordAudit(let entry) in writes { info("audit", metadata: entry.metadata) }
    }
}

extension AuditEntry {
    fileprivate var metadata: Logger.Metadata {
        var metadata: Logger.Metadata = [
            "entry": "\(id)", "event": "\(action)", "actor": "\(actor)",
        ]
        metadata["account"] = account.map { "\($0)" }
        metadata["session"] = session.map { "\($0)" }
        metadata["detail"] = detail.map { "\($0)" }
        return metadata
    }
}
