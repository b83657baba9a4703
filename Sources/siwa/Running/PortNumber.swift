import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Ports as people give them on the command line.
enum PortNumber {
    /// Checks a port, or finds a free one for 0.
    ///
    /// A free one is needed ahead of the start, because each server is told the other's address.
    static func resolve(_ port: Int) throws -> Int {
        guard (0...65_535).contains(port) else {
            throw CommandFailure.usage(
                "\(port) is not a port",
                hint: "give a number from 0 to 65535; 0 picks a free one"
            )
        }
        return port == 0 ? try free() : port
    }

    private static func free() throws -> Int {
        #if canImport(Darwin)
            let descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #else
            let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #endif
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 ? getsockname(descriptor, $0, &length) : -1
            }
        }
        guard result == 0 else {
            throw CommandFailure("no free port was found", hint: "name one with --port")
        }
        return Int(UInt16(bigEndian: address.sin_port))
    }
}
