import AppleEmulatorServer
import ArgumentParser

/// Addresses to listen on, as people give them on the command line.
enum ListenAddress {
    /// Refuses what is no address or name without port; it becomes a word in lines for a shell, too.
    static func check(_ text: String) throws {
        let isPlain = text.utf8.allSatisfy { byte in
            UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
                || UInt8(ascii: "-")...UInt8(ascii: ":") ~= byte
        }
        guard isPlain, !text.isEmpty, !text.contains("/") else {
            throw ValidationError("\(text.debugDescription) is not an address to listen on")
        }
    }

    /// Whether others than this machine's programs reach what listens there.
    static func isOpen(_ address: String) -> Bool { !Loopback.contains(address) }

    /// Whether an address stands for all of the machine's, so that it is no name for a client.
    static func isForAll(_ address: String) -> Bool { ["0.0.0.0", "::"].contains(address) }
}

/// The ports of the demo, each known before anything starts, since its servers name each other.
struct DemoPorts: Sendable {
    let server: Int
    let apple: Int
    let control: Int
    let smtp: Int

    var all: [Int] { [server, apple, control, smtp] }
}
