import AppleIdentity
import Foundation
import NIOCore

/// The IP addresses and networks of a setting.
struct NetworkList: Hashable, Sendable {
    /// The maximum number of entries.
    static let maximumCount = 100

    /// This machine.
    static let loopback = NetworkList(ranges: ["127.0.0.0/8", "::1"].compactMap(AddressRange.init))

    private let ranges: [AddressRange]

    /// An empty list.
    init() {
        self.init(ranges: [])
    }

    private init(ranges: [AddressRange]) { self.ranges = ranges }

    /// Reads the entries; throws ``ConfigurationError`` about the setting that names the entry.
    init(_ entries: [String], of setting: String) throws(ConfigurationError) {
        guard entries.count <= Self.maximumCount else {
            throw ConfigurationError(
                setting,
                "lists more than \(Self.maximumCount) IP addresses and networks",
                fix: "list the whole network instead, for example 10.0.0.0/8"
            )
        }
        var ranges: [AddressRange] = []
        for entry in entries {
            guard let range = AddressRange(entry) else {
                throw ConfigurationError(
                    setting,
                    "contains \(entry.prefix(50)), which is neither an IP address nor a network",
                    fix: "use IP addresses or networks, for example 127.0.0.1,10.0.0.0/8"
                )
            }
            ranges.append(range)
        }
        self.ranges = ranges
    }

    var isEmpty: Bool { ranges.isEmpty }

    /// Whether the list contains an IP address or its network.
    func contains(_ address: String) -> Bool {
        AddressRange(address).map { address in ranges.contains { $0.contains(address) } } ?? false
    }
}
