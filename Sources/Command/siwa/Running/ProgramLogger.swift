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
            case .json: JSONLogHandler(label: label)
            }
        }
        logger.logLevel = settings.level
        return logger
    }
}

/// Writes one JSON object on each line of standard error.
struct JSONLogHandler: LogHandler {
    let label: String
    var metadata: Logger.Metadata = [:]
    var metadataProvider: Logger.MetadataProvider?
    var logLevel = Logger.Level.info

    init(label: String) { self.label = label }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let provided = metadataProvider?.get() ?? [:]
        let all = metadata.merging(provided) { $1 }.merging(event.metadata ?? [:]) { $1 }
        Console().writeError(line(event, all))
    }

    /// The JSON of one line; `metadata` is a nested object with its own names.
    func line(_ event: LogEvent, _ metadata: Logger.Metadata) -> String {
        var object: [String: Any] = [
            "time": TimeSource.live.now.formatted(
                .iso8601.year().month().day().time(includingFractionalSeconds: true)
                    .timeZone(separator: .omitted)
            ),
            "level": event.level.rawValue, "label": label, "message": "\(event.message)",
        ]
        if !metadata.isEmpty { object["metadata"] = metadata.mapValues { "\($0)" } }
        let options: JSONSerialization.WritingOptions = [.sortedKeys, .withoutEscapingSlashes]
        let data = try? JSONSerialization.data(withJSONObject: object, options: options)
        return String(decoding: data ?? Data(), as: UTF8.self)
    }
}
