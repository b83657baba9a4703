import Logging

/// What the lines of the log about one request have in common, wherever below it they are written.
enum RequestLogContext {
    /// The request's number and the address it came from.
    @TaskLocal static var metadata: Logger.Metadata = [:]

    /// A logger whose lines have that in them.
    static func adding(to logger: Logger) -> Logger {
        var adding = Logger(label: logger.label) { _ in Handler(base: logger.handler) }
        adding.logLevel = logger.logLevel
        return adding
    }

    private struct Handler: LogHandler {
        var base: any LogHandler

        var metadata: Logger.Metadata {
            get { base.metadata }
            set { base.metadata = newValue }
        }

        var metadataProvider: Logger.MetadataProvider? {
            get { base.metadataProvider }
            set { base.metadataProvider = newValue }
        }

        var logLevel: Logger.Level {
            get { base.logLevel }
            set { base.logLevel = newValue }
        }

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { base[metadataKey: key] }
            set { base[metadataKey: key] = newValue }
        }

        func log(event: LogEvent) {
            var event = event
            event.metadata = RequestLogContext.metadata.merging(event.metadata ?? [:]) { $1 }
            base.log(event: event)
        }
    }
}
