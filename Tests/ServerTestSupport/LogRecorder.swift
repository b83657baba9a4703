import Logging
import Synchronization

/// Keeps every line of the log, metadata included.
package final class LogRecorder: Sendable {
    private let lines = Mutex<[String]>([])

    /// Makes one without lines.
    package init() {}

    /// All lines.
    package var text: String { lines.withLock { $0.joined(separator: "\n") } }

    /// A log whose lines are kept here.
    package var logger: Logger {
        var logger = Logger(label: "test") { _ in Handler(recorder: self) }
        logger.logLevel = .trace
        return logger
    }

    private func add(_ line: String) {
        lines.withLock { $0.append(line) }
    }

    private struct Handler: LogHandler {
        let recorder: LogRecorder
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.trace

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let all = metadata.merging(event.metadata ?? [:]) { $1 }
            recorder.add("\(event.level) \(event.message) \(all)")
        }
    }
}
