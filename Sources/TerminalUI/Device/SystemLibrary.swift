#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Calls of the C library whose types differ between systems.
package enum SystemLibrary {
    /// The attributes of a terminal; nil if the descriptor is not one.
    static func attributes(of descriptor: Int32) -> termios? {
        var attributes = termios()
        return tcgetattr(descriptor, &attributes) == 0 ? attributes : nil
    }

    /// Sets the attributes, and retries after a signal.
    static func set(_ attributes: termios, of descriptor: Int32) {
        var attributes = attributes
        while tcsetattr(descriptor, TCSADRAIN, &attributes) != 0, errno == EINTR {}
    }

    /// The size of a terminal; nil if the descriptor is not one.
    package static func size(of descriptor: Int32) -> (columns: Int, rows: Int)? {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0
        else { return nil }
        return (Int(size.ws_col), Int(size.ws_row))
    }

    /// Reads the available bytes, at most a block; nil at the end or after an error.
    static func read(_ descriptor: Int32) -> [UInt8]? {
        var block = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = systemRead(descriptor, &block, block.count)
            if count > 0 { return Array(block.prefix(count)) }
            guard count < 0, errno == EINTR || errno == EAGAIN else { return nil }
            if errno == EAGAIN { _ = waitForInput(descriptor, -1, milliseconds: -1) }
        }
    }

    /// Writes all bytes, also if the terminal accepts only a part at a time.
    static func write(_ bytes: [UInt8], to descriptor: Int32) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { systemWrite(descriptor, $0.baseAddress, $0.count) }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if errno == EAGAIN {
                var slot = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                _ = poll(&slot, 1, -1)
            } else if errno != EINTR {
                return
            }
        }
    }

    /// Waits until one of two descriptors is readable; neither is after the timeout.
    static func waitForInput(
        _ first: Int32,
        _ second: Int32,
        milliseconds: Int32
    ) -> (first: Bool, second: Bool) {
        var slots = [first, second].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        // poll ignores a descriptor of -1.
        while poll(&slots, nfds_t(slots.count), milliseconds) < 0, errno == EINTR {}
        return (slots[0].revents != 0, slots[1].revents != 0)
    }
}

extension SystemLibrary {
    static func close(_ descriptor: Int32) { _ = systemClose(descriptor) }
}

private func systemClose(_ descriptor: Int32) -> Int32 { close(descriptor) }

/// The system's functions, which the type's own would hide.
private func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutableRawPointer, _ size: Int) -> Int
{ read(descriptor, buffer, size) }

private func systemWrite(_ descriptor: Int32, _ buffer: UnsafeRawPointer?, _ size: Int) -> Int {
    write(descriptor, buffer, size)
}
