import Logging

extension Logger {
    /// Logs each audit entry among committed writes at level `info`.
    ///
    /// The lines have only identifiers, no IP address and no name, because logs are kept in different places
    /// from the entries, and for a different time.
    ///
    /// - Parameter writes: the committed writes.
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
