import Logging

/// Loggers of the program: to standard error, so that standard output stays for results.
enum ProgramLogger {
    static func make(_ label: String) -> Logger {
        var logger = Logger(label: label) { StreamLogHandler.standardError(label: $0) }
        logger.logLevel = .notice
        return logger
    }
}
