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

/// An IP address or a network.
struct AddressRange: Hashable, Sendable {
    private let bytes: [UInt8]
    private let prefixLength: Int

    /// Reads an IP address, or a network with its prefix length (RFC 4632, section 3.1).
    init?(_ text: String) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let address = parts.first,
            let bytes = Self.bytes(of: String(address))
        else { return nil }
        self.bytes = bytes
        guard parts.count == 2 else {
            prefixLength = bytes.count * 8
            return
        }
        guard let length = Int(parts[1]), (0...bytes.count * 8).contains(length) else { return nil }
        prefixLength = length
    }

    /// Whether the network contains an IP address.
    func contains(_ other: AddressRange) -> Bool {
        guard bytes.count == other.bytes.count, other.prefixLength >= prefixLength else {
            return false
        }
        return (0..<prefixLength).allSatisfy { bit(at: $0) == other.bit(at: $0) }
    }

    /// The IPv4 address, or the IPv6 network that a provider gives to one customer.
    ///
    /// Source: [RFC 6177](https://www.rfc-editor.org/rfc/rfc6177)
    var client: String {
        bytes.count == 4
            ? bytes.map(String.init).joined(separator: ".")
            : Hexadecimal.encode(Array(bytes.prefix(7))) + "00::/56"
    }

    /// The IPv4 /24 or IPv6 /48 network, of which one attacker may have every address.
    var wider: String {
        bytes.count == 4
            ? bytes.prefix(3).map(String.init).joined(separator: ".") + ".0/24"
            : Hexadecimal.encode(Array(bytes.prefix(6))) + "::/48"
    }

    private func bit(at index: Int) -> UInt8 {
        bytes[index / 8] >> (7 - UInt8(index % 8)) & 1
    }

    /// Treats an IPv4-mapped IPv6 address as the IPv4 address.
    private static func bytes(of text: String) -> [UInt8]? {
        guard let address = try? SocketAddress(ipAddress: text, port: 0) else { return nil }
        switch address {
        case .v4(let address): return withUnsafeBytes(of: address.address.sin_addr) { Array($0) }
        case .v6(let address):
            let bytes = withUnsafeBytes(of: address.address.sin6_addr) { Array($0) }
            let mapped: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff]
            return bytes.starts(with: mapped) ? Array(bytes.suffix(4)) : bytes
        case .unixDomainSocket: return nil
        }
    }
}
