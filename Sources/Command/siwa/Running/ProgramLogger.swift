import AccountsServer
import AppleIdentity
import Foundation
import Logging

/// Loggers that write to standard error, because standard output is for results.
enum ProgramLogger {
    static func make(
        _ label: String,
        _ settings: LogSettings = LogSettings(level: .notice)
    ) -> Logger {
        var logger = Logger(label: label) { label in
            switch settings.format {
            case .text: StreamLogHandler.standardError(label: label)
            case .json: EventLogHandler(label: label) { Terminal().writeError($0.json) }
            }
        }
        logger.logLevel = settings.level
        return logger
    }
}

/// A log event, with all its metadata as text.
struct LoggedEvent: Sendable {
    let label: String
    let level: Logger.Level
    let message: String
    let metadata: [String: String]

    /// The JSON of one line; `metadata` is a nested object with its own names.
    var json: String {
        var object: [String: Any] = [
            "time": TimeSource.live.now.formatted(
                .iso8601.year().month().day().time(includingFractionalSeconds: true)
                    .timeZone(separator: .omitted)
            ),
            "level": level.rawValue, "label": label, "message": message,
        ]
        if !metadata.isEmpty { object["metadata"] = metadata }
        let options: JSONSerialization.WritingOptions = [.sortedKeys, .withoutEscapingSlashes]
        let data = try? JSONSerialization.data(withJSONObject: object, options: options)
        return String(decoding: data ?? Data(), as: UTF8.self)
    }
}

/// Passes each event to a function.
struct EventLogHandler: LogHandler {
    let label: String
    let write: @Sendable (LoggedEvent) -> Void
    var metadata: Logger.Metadata = [:]
    var metadataProvider: Logger.MetadataProvider?
    var logLevel = Logger.Level.info

    init(label: String, write: @escaping @Sendable (LoggedEvent) -> Void) {
        self.label = label
        self.write = write
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let provided = metadataProvider?.get() ?? [:]
        let all = metadata.merging(provided) { $1 }.merging(event.metadata ?? [:]) { $1 }
        write(
            LoggedEvent(
                label: label,
                level: event.level,
                message: "\(event.message)",
                metadata: all.mapValues { "\($0)" }
            )
        )
    }
}
