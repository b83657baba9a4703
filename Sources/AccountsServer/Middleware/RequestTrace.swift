import AppleIdentity
import HTTPTypes
import Hummingbird
import Instrumentation
import Logging
import NIOCore
import StrictHTTP
import TraceContext

/// The metadata that all log lines about one request share.
///
/// It is formatted only when a line is written, because most requests write none.
struct RequestTrace: Sendable {
    /// The request that the current task handles.
    @TaskLocal static var current: RequestTrace?

    private static let forwardedFor = HTTPField.Name("X-Forwarded-For")
    /// The metadata key of Hummingbird's request number.
    static let numberKey = "hb.request.id"

    private let logger: Logger
    private let channel: any Channel
    private let proxies: TrustedProxies
    private let forwarded: [String]

    init(_ request: Request, _ channel: any Channel, _ logger: Logger, _ proxies: TrustedProxies) {
        self.logger = logger
        self.channel = channel
        self.proxies = proxies
        forwarded = Self.forwarded(in: request.headers)
    }

    static func forwarded(in fields: HTTPFields) -> [String] {
        forwardedFor.map { fields[values: $0] } ?? []
    }

    /// The request's number and the client's IP address.
    var metadata: Logger.Metadata {
        var metadata: Logger.Metadata = ["peer": "\(peer)"]
        metadata[Self.numberKey] = logger[metadataKey: Self.numberKey]
        return metadata
    }

    /// The client's IP address, as far as it can be trusted.
    var peer: String {
        let peer = channel.remoteAddress?.ipAddress ?? ClientNetwork.none
        return proxies.client(peer: peer, forwarded: forwarded)
    }

    /// The network whose attempts are counted together.
    var clientNetwork: ClientNetwork { ClientNetwork(peer) }

    /// The network of a peer whose `X-Forwarded-For` is ignored, because it is no trusted proxy.
    var untrustedProxy: ClientNetwork? {
        guard !forwarded.isEmpty else { return nil }
        let peer = channel.remoteAddress?.ipAddress ?? ClientNetwork.none
        return proxies.isTrusted(peer) ? nil : ClientNetwork(peer)
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
            if let trace = RequestTrace.current { metadata.merge(trace.metadata) { $1 } }
            if let span = InstrumentationContext.current?.traceParent {
                metadata["trace_id"] = "\(span.traceID)"
                metadata["span_id"] = "\(span.spanText)"
            }
            if let given = event.metadata { metadata.merge(given) { $1 } }
            event.metadata = metadata
            base.log(event: event)
        }
    }
}
