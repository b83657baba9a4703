import AppleEmulatorServer
import ArgumentParser
import Foundation

/// Ports from the command line.
enum PortNumber {
    /// The range of free ports: below those of outgoing connections, one of which could take the port before the
    /// server listens.
    private static let chosen = 10_000..<32_768
    private static let maximumChoiceCount = 64

    static func resolve(_ port: Int, option: String = "--port") throws -> Int {
        try resolve([WantedPort(port, option)])[0]
    }

    /// Checks ports, or finds free ones for 0; names all that are in use at once.
    ///
    /// A free port is needed before the start, because each server is configured with the other's URL.
    static func resolve(_ wanted: [WantedPort]) throws -> [Int] {
        for (index, port) in wanted.enumerated() where port.port != 0 {
            guard let other = wanted[..<index].first(where: { $0.port == port.port }) else {
                continue
            }
            throw CommandFailure.usage(
                "\(port.port) is given twice",
                hint: "give \(other.option) and \(port.option) different ports"
            )
        }
        let found = try wanted.map(bindable)
        let used = zip(wanted, found).filter { $0.1 == nil }.map(\.0)
        guard let first = used.first else { return found.compactMap(\.self) }
        let options = TerminalText.listed(used.map(\.option), "and")
        guard used.count > 1 else {
            throw CommandFailure(
                "port \(first.port) is already in use",
                hint:
                    "give another one with \(options) (0 picks a free one), or stop the other program"
            )
        }
        let ports = TerminalText.listed(used.map { "\($0.port)" }, "and")
        throw CommandFailure(
            "ports \(ports) are already in use",
            hint: "give others with \(options) (0 picks a free one), or stop the other programs"
        )
    }

    /// The port, or a free one for 0; nil if another program uses it.
    private static func bindable(_ wanted: WantedPort) throws -> Int? {
        let (port, option, host) = (wanted.port, wanted.option, wanted.host)
        guard (0...65_535).contains(port) else {
            throw CommandFailure.usage(
                "\(port) is not a port",
                hint: "give \(option) a number from 0 to 65535; 0 picks a free one"
            )
        }
        guard isKnown(host) else { throw unusable(host) }
        if port == 0, let free = free(host) { return free }
        let bound = bind(port, host)
        if let bound = bound.port { return bound }
        guard bound.error != EADDRNOTAVAIL else { throw unusable(host) }
        guard bound.error != EACCES else {
            throw CommandFailure(
                "port \(port) needs privileges",
                hint: "give \(option) a port above 1023, or start with CAP_NET_BIND_SERVICE"
            )
        }
        guard port == 0 else { return nil }
        throw CommandFailure("no free port was found", hint: "give a port with \(option)")
    }

    private static func unusable(_ host: String) -> CommandFailure {
        CommandFailure(
            "can't listen on \(host): it is not an IP address of this machine",
            hint: "give 127.0.0.1, 0.0.0.0 for all, or one of this machine's IP addresses"
        )
    }

    /// Whether the system can resolve a host name.
    private static func isKnown(_ host: String) -> Bool {
        var addresses: UnsafeMutablePointer<addrinfo>?
        defer { if let addresses { freeaddrinfo(addresses) } }
        return getaddrinfo(host, nil, nil, &addresses) == 0
    }

    /// A free port of the range, nil if no attempt found one; then the system picks any.
    private static func free(_ host: String) -> Int? {
        (0..<maximumChoiceCount).lazy
            .map { _ in bind(Int.random(in: chosen), host, reserves: true) }
            .first { $0.port != nil }?
            .port
    }

    /// Lets another socket with the same option bind the port too, as long as none listens.
    ///
    /// Linux checks the option when the other socket is bound. Set only after binding, it reserves the port for servers.
    ///
    /// Source: [socket(7), SO_REUSEADDR](https://man7.org/linux/man-pages/man7/socket.7.html)
    private static func allowReuse(of descriptor: Int32) {
        var isReused: Int32 = 1
        let size = socklen_t(MemoryLayout<Int32>.size)
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &isReused, size)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }

    /// Binds a port, 0 for any, and releases or reserves it; binds on loopback if the host is not an IPv4 address.
    private static func bind(
        _ port: Int,
        _ host: String,
        reserves: Bool = false
    ) -> (port: Int?, error: Int32) {
        #if canImport(Darwin)
            let descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #else
            let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #endif
        var isReserved = false
        defer { if !isReserved { close(descriptor) } }
        // Like the servers, this treats a port whose last connections are still closing as free.
        if !reserves { allowReuse(of: descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        if inet_pton(AF_INET, host, &address.sin_addr) != 1 {
            address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        }
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                systemBind(descriptor, $0, length) == 0
                    ? getsockname(descriptor, $0, &length) : -1
            }
        }
        guard result == 0 else { return (nil, errno) }
        #if os(Linux)
            isReserved = reserves
            if reserves { allowReuse(of: descriptor) }
        #endif
        return (Int(UInt16(bigEndian: address.sin_port)), 0)
    }
}

/// A port from the command line, and the option that changes it.
struct WantedPort {
    let port: Int
    let option: String
    let host: String

    init(_ port: Int, _ option: String, host: String = "127.0.0.1") {
        (self.port, self.option, self.host) = (port, option, host)
    }
}

/// The system's function, which `PortNumber.bind` would hide.
private let systemBind: @Sendable (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32 = {
    bind($0, $1, $2)
}

/// Host names and IP addresses to listen on, from the command line.
enum ListenAddress {
    /// Refuses a text that is not an IP address or a host name; `siwa emulator env` prints it for a shell.
    static func check(_ text: String) throws {
        let isPlain = text.utf8.allSatisfy { byte in
            UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
                || UInt8(ascii: "-")...UInt8(ascii: ":") ~= byte
        }
        guard isPlain, !text.isEmpty, !text.contains("/") else {
            throw ValidationError("\(text.debugDescription) is not a host name or IP address")
        }
    }

    /// Whether other machines can reach a server that listens there.
    static func isOpen(_ address: String) -> Bool { !Loopback.contains(address) }

    /// Whether this means all IP addresses on the machine, which clients cannot use as a host name.
    static func isForAll(_ address: String) -> Bool { ["0.0.0.0", "::"].contains(address) }
}

/// The ports of the demo, chosen before the start because its servers are configured with each other's.
struct DemoPorts: Sendable {
    let server: Int
    let apple: Int
    let control: Int
    let smtp: Int

    var all: [Int] { [server, apple, control, smtp] }
}
