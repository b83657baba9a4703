import HTTPTypes
import Hummingbird

/// The networks whose programs may read `GET /metrics`.
///
/// They have to connect directly: a proxy's address says nothing of who asks it, and the proxies that nobody named
/// are found by the fields that they add.
package struct MetricsReaders: Hashable, Sendable {
    /// The setting by which they are named.
    static let settingName = "SIWA_METRICS_NETWORKS"
    /// The value by which nobody may read.
    static let nobody = "none"

    private static let forwardingFields = ["X-Forwarded-For", "Forwarded", "X-Real-IP", "Via"]
        .compactMap { HTTPField.Name($0) }

    private let networks: NetworkList

    /// Programs on the machine itself.
    package init() { networks = .loopback }

    /// Reads addresses and networks; throws ``ConfigurationError`` about `SIWA_METRICS_NETWORKS` that names the
    /// entry.
    package init(_ entries: [String]) throws(ConfigurationError) {
        switch entries {
        case []: networks = .loopback
        case [Self.nobody]: networks = NetworkList()
        default: networks = try NetworkList(entries, of: Self.settingName)
        }
    }

    func contains(_ request: Request, _ context: ServerContext) -> Bool {
        guard !networks.isEmpty, Self.forwardingFields.allSatisfy({ request.headers[$0] == nil })
        else { return false }
        // A request without an address was made by this process.
        guard let peer = context.channel.remoteAddress?.ipAddress else { return true }
        return networks.contains(peer)
    }
}
