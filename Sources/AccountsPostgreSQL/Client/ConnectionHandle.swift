import CPostgreSQL

/// A connection of libpq and the watch over its socket; closed when nobody has it any more.
final class ConnectionHandle {
    let pointer: OpaquePointer
    private let watch: SocketLoop.Watch

    /// Takes over a connection that is open; the handlers run on the event loop.
    init(
        _ pointer: OpaquePointer,
        onReadable: @escaping @Sendable () -> Void,
        onWritable: @escaping @Sendable () -> Void
    ) {
        self.pointer = pointer
        watch = SocketLoop.shared.watch(
            PQsocket(pointer),
            onReadable: onReadable,
            onWritable: onWritable
        )
    }

    /// Whether the socket's readiness for more bytes is of interest.
    func watchWriting(_ isWanted: Bool) {
        SocketLoop.shared.watchWriting(watch, isWanted)
    }

    /// The socket must not be closed while it is watched: its number may be another file's right after.
    deinit {
        let address = UInt(bitPattern: pointer)
        SocketLoop.shared.perform { [watch] in
            SocketLoop.shared.unwatch(watch)
            PQfinish(OpaquePointer(bitPattern: address))
        }
    }
}
