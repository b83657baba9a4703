import Foundation
import Testing

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#else
    import Musl
#endif

/// A connection to a port of this machine, on which a test sends whatever it wants.
final class RawConnection {
    private let descriptor: Int32

    init(port: Int) throws {
        #if canImport(Glibc)
            let kind = Int32(SOCK_STREAM.rawValue)
        #else
            let kind = SOCK_STREAM
        #endif
        descriptor = socket(AF_INET, kind, 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let status = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        try #require(status == 0)
    }

    deinit { close(descriptor) }

    /// Sends bytes; a connection that the other side has closed takes none.
    func send(_ text: String) {
        let bytes = Array(text.utf8)
        #if canImport(Darwin)
            let flags: Int32 = 0
        #else
            let flags = Int32(MSG_NOSIGNAL)
        #endif
        #if canImport(Darwin)
            _ = Darwin.send(descriptor, bytes, bytes.count, flags)
        #elseif canImport(Glibc)
            _ = Glibc.send(descriptor, bytes, bytes.count, flags)
        #else
            _ = Musl.send(descriptor, bytes, bytes.count, flags)
        #endif
    }

    /// All that comes until the other side closes.
    func answer() -> String {
        var (answer, buffer) = ([UInt8](), [UInt8](repeating: 0, count: 4096))
        while true {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            guard count > 0 else { return String(decoding: answer, as: UTF8.self) }
            answer += buffer[..<count]
        }
    }
}
