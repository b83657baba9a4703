import AppleIdentity
import Logging
import NIOCore
import ServiceLifecycle
import Synchronization

/// Serves the connections that the system has accepted before a stopping server closes its port.
///
/// The system completes connections by itself and queues them until the server takes them. When the
/// port is closed, the system resets the queued ones, and their requests are lost. Listed after the
/// server in a `ServiceGroup`, this service shuts down first: it refuses new connections and waits
/// until the queued ones are taken. Then the server shuts down.
///
/// ```swift
/// let drain = ListenerDrain(logger: logger)
/// let server = try await buildAccountsServer(configuration: configuration, drain: drain, logger: logger, port: 8080)
/// let group = ServiceGroup(services: [server, drain], gracefulShutdownSignals: [.sigterm], logger: logger)
/// ```
package final class ListenerDrain: Service {
    /// The maximum number of checks for connections not served yet, and the time between.
    private static let maximumLookCount = 100
    private static let pause: Duration = .milliseconds(10)
    /// The number of checks in a row that must find none: a new connection may take 0.1 seconds.
    private static let quietLookCount = 10

    let arrivals = ConnectionArrivals()
    private let listener = Mutex<(any Channel)?>(nil)
    private let time: TimeSource
    private let logger: Logger

    package convenience init(logger: Logger) { self.init(time: .live, logger: logger) }

    /// Creates a drain whose pauses follow the given clock.
    package init(time: TimeSource, logger: Logger) {
        self.time = time
        self.logger = logger
    }

    /// Remembers the port to drain.
    func watch(_ channel: any Channel) {
        listener.withLock { $0 = channel }
    }

    /// Waits for the shutdown and drains the port; throws `CancellationError` if cancelled.
    package func run() async throws {
        try await gracefulShutdown()
        guard let channel = listener.withLock(\.self),
            let socket = channel as? any SocketOptionProvider
        else { return }
        try await drain(socket)
    }

    /// Drains the port; throws `CancellationError` if cancelled.
    func drain(_ socket: any SocketOptionProvider) async throws {
        do {
            try await refuseNewConnections(of: socket)
        } catch {
            logger.debug("the port still accepts connections", metadata: ["hint": "\(error)"])
        }
        guard try await serveAll(of: socket) else {
            return logger.warning("the port was closed before all its connections were served")
        }
    }

    /// Waits until the server serves every accepted connection; returns false after the last check.
    private func serveAll(of socket: any SocketOptionProvider) async throws -> Bool {
        var quietLookCount = 0
        for _ in 0..<Self.maximumLookCount {
            // A connection that leaves the system's queue is counted at once: none is missed.
            let isWaiting = (try? await waitingConnectionCount(of: socket)) ?? 0 > 0
            quietLookCount = isWaiting || arrivals.areUnderWay ? 0 : quietLookCount + 1
            guard quietLookCount < Self.quietLookCount else { return true }
            try await time.sleep(for: Self.pause)
        }
        return false
    }
}

#if os(Linux)
    extension ListenerDrain {
        /// A packet filter that drops the start of a connection (SYN).
        ///
        /// The client repeats it a second later and is refused; half-open connections complete.
        ///
        /// Source: [socket(7), SO_ATTACH_FILTER](https://man7.org/linux/man-pages/man7/socket.7.html)
        private static let dropBeginnings = [
            // The flags of the TCP header: load a byte (BPF_LD, BPF_B, BPF_ABS).
            FilterInstruction(code: 0x30, operand: 13),
            // Continue if SYN is set, else skip one (BPF_JMP, BPF_JSET, BPF_K).
            FilterInstruction(code: 0x45, otherwise: 1, operand: 0x02),
            // Drop the packet, or accept it (BPF_RET, BPF_K).
            FilterInstruction(code: 0x06, operand: 0),
            FilterInstruction(code: 0x06, operand: .max),
        ]

        /// `struct sock_filter` of the system.
        private struct FilterInstruction {
            var code: UInt16
            var then: UInt8 = 0
            var otherwise: UInt8 = 0
            var operand: UInt32
        }

        /// `struct sock_fprog` of the system.
        private struct Filter {
            var instructionCount: UInt16
            var address: UInt
        }

        /// The start of `struct tcp_info`; word 7 of a listening socket counts queued connections.
        private struct SocketInformation {
            var words: (UInt32, UInt32, UInt32, UInt32, UInt32, UInt32, UInt32) = (
                0, 0, 0, 0, 0, 0, 0
            )
        }

        private static let attachFilter = NIOBSDSocket.Option(rawValue: 26)
        private static let tcpInformation = NIOBSDSocket.Option(rawValue: 11)

        private func refuseNewConnections(of socket: any SocketOptionProvider) async throws {
            let count = Self.dropBeginnings.count
            let program = UnsafeMutableBufferPointer<FilterInstruction>.allocate(capacity: count)
            _ = program.initialize(from: Self.dropBeginnings)
            let address = UInt(bitPattern: program.baseAddress)
            defer { UnsafeMutablePointer<FilterInstruction>(bitPattern: address)?.deallocate() }
            let filter = Filter(instructionCount: UInt16(count), address: address)
            try await socket.unsafeSetSocketOption(
                level: .socket,
                name: Self.attachFilter,
                value: filter
            ).get()
        }

        private func waitingConnectionCount(
            of socket: any SocketOptionProvider
        ) async throws -> UInt32 {
            let information: SocketInformation = try await socket.unsafeGetSocketOption(
                level: .tcp,
                name: Self.tcpInformation
            ).get()
            return information.words.6
        }
    }
#else
    extension ListenerDrain {
        /// Other systems cannot refuse new connections for one port.
        private func refuseNewConnections(of socket: any SocketOptionProvider) async throws {}

        private func waitingConnectionCount(
            of socket: any SocketOptionProvider
        ) async throws -> UInt32 { 0 }
    }
#endif
