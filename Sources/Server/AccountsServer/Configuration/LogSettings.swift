import Logging

/// The level and the format of the server's log.
package struct LogSettings: Hashable, Sendable {
    /// The format of a log line.
    package enum Format: String, CaseIterable, Hashable, Sendable {
        /// One line of text for each entry, for people.
        case text
        /// One JSON object on each line, for programs.
        case json
    }

    /// The lowest level that is written.
    package var level: Logger.Level
    package var format: Format

    package init(level: Logger.Level = .info, format: Format = .text) {
        self.level = level
        self.format = format
    }
}
