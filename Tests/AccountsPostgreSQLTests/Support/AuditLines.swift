import Logging
import Synchronization

/// The names of the entries of which a store's log has lines.
final class AuditLines: Sendable {
    private let names = Mutex<[String]>([])

    var entries: [String] { names.withLock { $0 } }

    var logger: Logger { Logger(label: "audit") { _ in Handler(lines: self) } }

    private struct Handler: LogHandler {
        let lines: AuditLines
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.info

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            guard event.message == "audit", let name = event.metadata?["entry"] else { return }
            lines.names.withLock { $0.append("\(name)") }
        }
    }
}
