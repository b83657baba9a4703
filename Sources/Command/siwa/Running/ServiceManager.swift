import Foundation

/// The service manager that started the program, if it expects a notification of readiness.
///
/// Source: [sd_notify(3)](https://www.freedesktop.org/software/systemd/man/latest/sd_notify.html)
enum ServiceManager {
    /// Notifies the service manager, if there is one, that the program accepts requests.
    static func reportReady() {
        guard let path = ProcessInfo.processInfo.environment["NOTIFY_SOCKET"], !path.isEmpty else {
            return
        }
        guard send("READY=1", to: path) else {
            return Terminal().writeError("note: can't notify the service manager at NOTIFY_SOCKET")
        }
    }

    private static func send(_ message: String, to path: String) -> Bool {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        var bytes = Array(path.utf8)
        // "@" means the null byte with which the name of an abstract socket begins.
        if bytes[0] == UInt8(ascii: "@") { bytes[0] = 0 }
        guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else { return false }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        #if canImport(Darwin)
            let descriptor = socket(AF_UNIX, SOCK_DGRAM, 0)
        #else
            let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        #endif
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        let pathOffset = MemoryLayout.offset(of: \sockaddr_un.sun_path) ?? 2
        let length = socklen_t(pathOffset + bytes.count)
        let sentCount = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                sendto(descriptor, message, message.utf8.count, 0, $0, length)
            }
        }
        return sentCount == message.utf8.count
    }
}
