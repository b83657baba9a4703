import CPostgreSQL
import Dispatch

/// A connection of libpq and the watch over its socket; closed when nobody has it any more.
final class ConnectionHandle {
    let pointer: OpaquePointer
    private let queue: DispatchQueue
    private let reading: any DispatchSourceRead
    private let writing: any DispatchSourceWrite
    private var isWatchingWriting = false

    /// Takes over a connection that is open; the handlers run on the queue.
    init(
        _ pointer: OpaquePointer,
        queue: DispatchQueue,
        onReadable: @escaping @Sendable () -> Void,
        onWritable: @escaping @Sendable () -> Void
    ) {
        self.pointer = pointer
        self.queue = queue
        let socket = PQsocket(pointer)
        reading = DispatchSource.makeReadSource(fileDescriptor: socket, queue: queue)
        writing = DispatchSource.makeWriteSource(fileDescriptor: socket, queue: queue)
        reading.setEventHandler(handler: onReadable)
        writing.setEventHandler(handler: onWritable)
        reading.resume()
    }

    /// Whether the socket's readiness for more bytes is of interest.
    func watchWriting(_ isWanted: Bool) {
        guard isWanted != isWatchingWriting else { return }
        isWatchingWriting = isWanted
        if isWanted { writing.resume() } else { writing.suspend() }
    }

    /// The socket must not be closed while it is watched: its number may be another file's right after.
    deinit {
        let address = UInt(bitPattern: pointer)
        let watches = DispatchGroup()
        for source in [reading, writing] as [any DispatchSourceProtocol] {
            watches.enter()
            source.setCancelHandler { watches.leave() }
            source.cancel()
        }
        // A source that is not active never gets to its cancel handler.
        if !isWatchingWriting { writing.resume() }
        watches.notify(queue: queue) { PQfinish(OpaquePointer(bitPattern: address)) }
    }
}
