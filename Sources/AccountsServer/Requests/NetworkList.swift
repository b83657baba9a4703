import AppleIdentity
import Foundation
import NIOCore

/// Addresses and networks that a setting names.
struct NetworkList: Hashable, Sendable {
    /// How many may be named.
    static let maximumCount = 100

    /// The machine itself.
    static let loopback = NetworkList(ranges: ["127.0.0.0/8", "::1"].compactMap(AddressRange.init))

    private let ranges: [AddressRange]

    /// Names nobody.
    init() {
        self.init(ranges: [])
    }

    private init(ranges: [AddressRange]) { self.ranges = ranges }

    /// Reads addresses and networks; throws ``ConfigurationError`` about the setting that names the entry.
    init(_ entries: [String], of setting: String) throws(ConfigurationError) {
        guard entries.count <= Self.maximumCount else {
            throw ConfigurationError(
                setting,
                "lists more than \(Self.maximumCount) addresses",
                fix: "name their network once, for example 10.0.0.0/8"
            )
        }
        var ranges: [AddressRange] = []
        for entry in entries {
            guard let range = AddressRange(entry) else {
                throw ConfigurationError(
                    setting,
                    "has \(entry.prefix(50)), which is neither an address nor a network",
                    fix: "write IP addresses or networks, for example 127.0.0.1,10.0.0.0/8"
                )
            }
            ranges.append(range)
        }
        self.ranges = ranges
    }

    var isEmpty: Bool { ranges.isEmpty }

    /// Whether an address is one of them, or in one of the networks.
    func contains(_ address: String) -> Bool {
        AddressRange(address).map { address in ranges.contains { $0.contains(address) } } ?? false
    }
}

/// An IP address, or a network of them.
struct AddressRange: Hashable, Sendable {
    private let bytes: [UInt8]
    private let prefixLength: Int

    /// Reads an address, or a network with its prefix length (RFC 4632, section 3.1).
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

    /// Whether the network has the other address in it.
    func contains(_ other: AddressRange) -> Bool {
        guard bytes.count == other.bytes.count, other.prefixLength >= prefixLength else {
            return false
        }
        return (0..<prefixLength).allSatisfy { bit(at: $0) == other.bit(at: $0) }
    }

    /// The address, or of IPv6 the network of 64 bits, of which one client has all addresses.
    var client: String {
        bytes.count == 4
            ? bytes.map(String.init).joined(separator: ".")
            : Hexadecimal.encode(Array(bytes.prefix(8))) + "::/64"
    }

    private func bit(at index: Int) -> UInt8 {
        bytes[index / 8] >> (7 - UInt8(index % 8)) & 1
    }

    /// An IPv4 address that is written as one of IPv6 is the same address.
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
