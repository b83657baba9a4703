import HTTPTypes
import Hummingbird
import Instrumentation
import Logging
import NIOCore
import TraceContext

/// What the lines of the log about one request have in common, wherever below it they are written.
///
/// It is put into words only when a line is written, which most requests never do.
struct RequestTrace: Sendable {
    /// The request that the current task answers.
    @TaskLocal static var current: RequestTrace?

    private static let forwardedFor = HTTPField.Name("X-Forwarded-For")
    /// The name under which Hummingbird gives a request's logger its number.
    static let numberKey = "hb.request.id"

    private let logger: Logger
    private let channel: any Channel
    private let proxies: TrustedProxies
    private let forwarded: [String]

    init(_ request: Request, _ channel: any Channel, _ logger: Logger, _ proxies: TrustedProxies) {
        self.logger = logger
        self.channel = channel
        self.proxies = proxies
        forwarded =
            proxies.isEmpty ? [] : Self.forwardedFor.map { request.headers[values: $0] } ?? []
    }

    /// The request's number and the address it came from.
    var metadata: Logger.Metadata {
        var metadata: Logger.Metadata = ["peer": "\(peer)"]
        metadata[Self.numberKey] = logger[metadataKey: Self.numberKey]
        return metadata
    }

    /// The client's address, as far as it can be trusted.
    var peer: String {
        let peer = channel.remoteAddress?.ipAddress ?? "none"
        return proxies.client(peer: peer, forwarded: forwarded)
    }

    /// By what attempts from one client are counted together.
    var clientNetwork: String {
        let peer = peer
        // Of IPv4 the address stands for itself; nothing has to be read of it.
        if forwarded.isEmpty, case .v4 = channel.remoteAddress { return peer }
        return AddressRange(peer)?.client ?? peer
    }

    /// The client whose refusals are counted; nil on this machine itself, where a proxy that nobody named would
    /// stand for all of its clients.
    var limitedNetwork: String? {
        let network = clientNetwork
        return Self.ownNetworks.contains(network) ? nil : network
    }

    private static let ownNetworks: Set<String?> = [
        "none", "127.0.0.1", AddressRange("::1")?.client,
    ]

    /// A logger whose lines have that in them.
    static func adding(to logger: Logger) -> Logger {
        var adding = Logger(label: logger.label) { _ in Handler(base: logger.handler) }
        adding.logLevel = logger.logLevel
        return adding
    }

    private struct Handler: LogHandler {
        var base: any LogHandler
        /// Kept here until a line is written: others put it into words each time that it changes.
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
