import CPostgreSQL

/// A connection of libpq and the watch of its socket, closed when the object is released.
final class ConnectionHandle {
    let pointer: OpaquePointer
    private let watch: SocketLoop.Watch

    /// Takes ownership of an open connection; the handlers run on the event loop.
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

    /// Sets whether `onWritable` is called.
    func watchWriting(_ isWanted: Bool) {
        SocketLoop.shared.watchWriting(watch, isWanted)
    }

    /// Ends the watch before it closes the socket, whose number another file may get at once.
    deinit {
        let address = UInt(bitPattern: pointer)
        SocketLoop.shared.perform { [watch] in
            SocketLoop.shared.unwatch(watch)
            PQfinish(OpaquePointer(bitPattern: address))
        }
    }
}
