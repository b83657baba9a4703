import AppleIdentity
import Logging
import NIOCore
import StrictHTTP

/// The request that the current task handles, for log lines, and for work that ends when the client disconnects.
///
/// Metadata is formatted only when a line is written, because most requests write none.
struct CurrentRequest: Sendable {
    @TaskLocal static var current: CurrentRequest?

    /// The metadata key of Hummingbird's request ID.
    static let idKey = "hb.request.id"

    private let logger: Logger
    private let channel: any Channel
    private let client: RequestClient

    init(_ client: RequestClient, _ channel: any Channel, _ logger: Logger) {
        self.logger = logger
        self.channel = channel
        self.client = client
    }

    /// The request's ID and the client's IP address.
    private var metadata: Logger.Metadata {
        var metadata: Logger.Metadata = ["peer": "\(client.address)"]
        metadata[Self.idKey] = logger[metadataKey: Self.idKey]
        return metadata
    }

    /// Returns when the client of the current request has closed the connection, or when the task is cancelled.
    static func departure() async {
        let presence = try? await current?.channel.pipeline.handler(type: ClientPresence.self).get()
        // A request that came over no connection has no client that could close it.
        guard let presence else { return await Signal().wait() }
        await presence.end()
    }

    /// Returns a logger that adds the metadata of the current request.
    static func adding(to logger: Logger) -> Logger {
        var adding = Logger(label: logger.label) { _ in Handler(base: logger.handler) }
        adding.logLevel = logger.logLevel
        return adding
    }

    private struct Handler: LogHandler {
        var base: any LogHandler
        /// Kept here until a line is written, because other handlers format it at each change.
        var metadata: Logger.Metadata = [:]

        var metadataProvider: Logger.MetadataProvider? {
            get { base.metadataProvider }
            set { base.metadataProvider = newValue }
        }

        var logLevel: Logger.Level {
            get { base.logLevel }
            set { base.logLevel = newValue }
        }

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            var event = event
            var metadata = metadata
            if let request = current { metadata.merge(request.metadata) { $1 } }
            if let given = event.metadata { metadata.merge(given) { $1 } }
            event.metadata = metadata
            base.log(event: event)
        }
    }
}
