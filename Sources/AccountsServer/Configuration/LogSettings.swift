import Logging

/// What the server's log has in it, and how its lines look.
package struct LogSettings: Hashable, Sendable {
    /// How the lines look.
    package enum Format: String, CaseIterable, Hashable, Sendable {
        /// For people.
        case text
        /// One JSON object on each line, for programs.
        case json
    }

    /// The lowest level that is written.
    package var level: Logger.Level
    /// How the lines look.
    package var format: Format

    /// Makes settings.
    ///
    /// - Parameters:
    ///   - level: the lowest level that is written.
    ///   - format: how the lines look.
    package init(level: Logger.Level = .info, format: Format = .text) {
        self.level = level
        self.format = format
    }

    init(_ values: ConfigurationValues, _ mistakes: inout MistakeList) {
        self.init()
        if let level = mistakes.note({ () throws(ConfigurationError) in
            try values.choice("SIWA_LOG_LEVEL", of: Logger.Level.allCases)
        }) {
            self.level = level ?? self.level
        }
        if let format = mistakes.note({ () throws(ConfigurationError) in
            try values.choice("SIWA_LOG_FORMAT", of: Format.allCases)
        }) {
            self.format = format ?? self.format
        }
    }
}
