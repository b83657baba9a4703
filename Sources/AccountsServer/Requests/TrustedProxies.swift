import AppleIdentity
import Foundation
import NIOCore

/// The proxies in front of the server whose word about the client's address counts.
///
/// Anybody can write `X-Forwarded-For`: without a named proxy the address of the connection is all that is known.
public struct TrustedProxies: Hashable, Sendable {
    /// How many proxies or networks may be named.
    public static let maximumCount = 100
    /// How many addresses of the field are looked at; more proxies in a row than that nobody has.
    static let maximumHopCount = 20

    private let networks: [AddressRange]

    /// Trusts nobody.
    public init() {
        networks = []
    }

    /// Reads addresses and networks.
    ///
    /// - Parameter entries: IP addresses, or networks such as `10.0.0.0/8` and `fd00::/8`.
    /// - Throws: ``ConfigurationError`` about `SIWA_TRUSTED_PROXIES` that names the entry.
    public init(_ entries: [String]) throws(ConfigurationError) {
        let name = "SIWA_TRUSTED_PROXIES"
        guard entries.count <= Self.maximumCount else {
            throw ConfigurationError(
                name,
                "lists more than \(Self.maximumCount) proxies",
                fix: "name their network once, for example 10.0.0.0/8"
            )
        }
        var networks: [AddressRange] = []
        for entry in entries {
            guard let network = AddressRange(entry) else {
                throw ConfigurationError(
                    name,
                    "has \(entry.prefix(50)), which is neither an address nor a network",
                    fix: "write IP addresses or networks, for example 127.0.0.1,10.0.0.0/8"
                )
            }
            networks.append(network)
        }
        self.networks = networks
    }

    var isEmpty: Bool { networks.isEmpty }

    /// The address a request came from: the last one that no trusted proxy stands for.
    ///
    /// - Parameters:
    ///   - peer: the address of the connection.
    ///   - forwarded: the values of `X-Forwarded-For` in their order, each a comma list.
    /// - Returns: the client's address, or that of the first proxy that is not trusted.
    func client(peer: String, forwarded: [String]) -> String {
        guard !networks.isEmpty else { return peer }
        var hops = forwarded.flatMap { $0.split(separator: ",") }
            .suffix(Self.maximumHopCount)
            .map { $0.trimmingCharacters(in: .whitespaces) }
        var client = peer
        // A proxy appends the address it was called from: what stands left of it may be made up.
        while isTrusted(client), let hop = hops.popLast(), AddressRange(hop) != nil {
            client = hop
        }
        return client
    }

    private func isTrusted(_ address: String) -> Bool {
        AddressRange(address).map { address in networks.contains { $0.contains(address) } } ?? false
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
