import AccountsServer
import AppleIdentity
import Foundation
import Logging

/// Loggers of the program: to standard error, so that standard output stays for results.
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

    /// The members of a line; metadata keeps its own names, under one member.
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
