import AppleIdentity
import Foundation
import NIOCore

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
