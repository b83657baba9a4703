import HTTPTypes
import Hummingbird

/// The networks whose programs may read `GET /metrics`.
///
/// They must connect directly. A proxy's IP address does not identify its client, and a proxy that
/// is not configured is recognised by the header fields that it adds.
package struct MetricsReaders: Hashable, Sendable {
    /// The setting that lists them.
    static let settingName = "SIWA_METRICS_NETWORKS"
    /// The value that allows no network.
    static let noNetwork = "none"

    private static let forwardingFields = ["X-Forwarded-For", "Forwarded", "X-Real-IP", "Via"]
        .compactMap { HTTPField.Name($0) }

    private let networks: NetworkList

    /// Allows programs on the same machine.
    package init() { networks = .loopback }

    /// Reads the entries; throws ``ConfigurationError`` about `SIWA_METRICS_NETWORKS`.
    package init(_ entries: [String]) throws(ConfigurationError) {
        switch entries {
        case []: networks = .loopback
        case [Self.noNetwork]: networks = NetworkList()
        default: networks = try NetworkList(entries, of: Self.settingName)
        }
    }

    func contains(_ request: Request, _ context: ServerContext) -> Bool {
        guard !networks.isEmpty, Self.forwardingFields.allSatisfy({ request.headers[$0] == nil })
        else { return false }
        // A request without a peer address was made by this process.
        guard let peer = context.channel.remoteAddress?.ipAddress else { return true }
        return networks.contains(peer)
    }
}
