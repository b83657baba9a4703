import Foundation
import Synchronization

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A terminal in raw mode: the program gets single keys, and uses the whole screen.
///
/// It works the same over ssh and inside tmux. ``close()`` restores the terminal, and so does every other end of the process.
package final class Terminal: Sendable {
    /// How long the rest of a sequence may take before its escape counts as the Esc key.
    private static let escapeMilliseconds: Int32 = 60
    private static let isInUse = Atomic<Bool>(false)

    private let input: Int32
    private let output: Int32
    private let raw: termios
    /// Both ends of the pipe into which signal handlers write.
    private let signals: (read: Int32, write: Int32)
    /// The events of the terminal, for one reader.
    package let events: AsyncStream<TerminalEvent>
    private let continuation: AsyncStream<TerminalEvent>.Continuation

    package init(
        input: Int32 = STDIN_FILENO,
        output: Int32 = STDOUT_FILENO
    ) throws(TerminalFailure) {
        guard let attributes = SystemLibrary.attributes(of: input), isatty(output) == 1 else {
            throw .notTerminal
        }
        guard !Self.isInUse.exchange(true, ordering: .sequentiallyConsistent) else { throw .inUse }
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else {
            Self.isInUse.store(false, ordering: .sequentiallyConsistent)
            throw .system(errno)
        }
        self.input = input
        self.output = output
        signals = (ends[0], ends[1])
        raw = Self.raw(attributes)
        (events, continuation) = AsyncStream.makeStream(of: TerminalEvent.self)
        TerminalRescue.prepare(
            input: input,
            output: output,
            attributes: attributes,
            signalPipe: signals.write
        )
        enter()
        Thread.detachNewThread { [self] in readEvents() }
    }

    package var size: (columns: Int, rows: Int) {
        SystemLibrary.size(of: output) ?? (columns: 80, rows: 24)
    }

    /// Writes a text with escape sequences completely.
    package func write(_ text: String) {
        guard !text.isEmpty else { return }
        SystemLibrary.write(Array(text.utf8), to: output)
    }

    /// Stops the process as Control-Z does; returns when it continues, with the terminal in raw mode again.
    package func suspend() {
        TerminalRescue.stop()
        enter()
        continuation.yield(.changed)
    }

    /// Restores the terminal.
    package func close() {
        TerminalRescue.finish()
        // 0 is no signal's number, and ends the reader.
        SystemLibrary.write([0], to: signals.write)
        continuation.finish()
        Self.isInUse.store(false, ordering: .sequentiallyConsistent)
    }

    private func enter() {
        SystemLibrary.set(raw, of: input)
        TerminalRescue.enteredScreen()
        write("\u{1B}[?1049h\u{1B}[?2004h\u{1B}[2J")
    }

    /// Attributes for single keys without echo, and Control-C as a key, like cfmakeraw of termios(3) but with output
    /// processing.
    private static func raw(_ attributes: termios) -> termios {
        var raw = attributes
        raw.c_iflag &= ~tcflag_t(BRKINT | ICRNL | INLCR | IGNCR | INPCK | ISTRIP | IXON)
        raw.c_lflag &= ~tcflag_t(ECHO | ECHONL | ICANON | IEXTEN | ISIG)
        raw.c_cflag |= tcflag_t(CS8)
        withUnsafeMutableBytes(of: &raw.c_cc) { characters in
            characters[Int(VMIN)] = 1
            characters[Int(VTIME)] = 0
        }
        return raw
    }
}

extension Terminal {
    private func readEvents() {
        var decoder = KeyDecoder()
        var stopCount = 0
        while true {
            let wait = decoder.isWaiting ? Self.escapeMilliseconds : -1
            let ready = SystemLibrary.waitForInput(input, signals.read, milliseconds: wait)
            if ready.second {
                guard let numbers = SystemLibrary.read(signals.read), !numbers.contains(0) else {
                    break
                }
                for number in numbers { handle(Int32(number), &stopCount) }
            }
            if ready.first {
                guard let bytes = SystemLibrary.read(input) else {
                    continuation.yield(.ended)
                    break
                }
                tell(decoder.read(bytes))
            } else if !ready.second {
                tell(decoder.finish())
            }
        }
        SystemLibrary.close(signals.read)
        SystemLibrary.close(signals.write)
    }

    private func tell(_ keys: [Key]) {
        for key in keys {
            if key == .control("z") { suspend() } else { continuation.yield(.key(key)) }
        }
    }

    private func handle(_ number: Int32, _ stopCount: inout Int) {
        switch number {
        case SIGWINCH: continuation.yield(.changed)
        case SIGCONT:
            enter()
            continuation.yield(.changed)
        case SIGTSTP: suspend()
        default:
            // A second signal ends a program that did not react to the first.
            stopCount += 1
            if stopCount > 1 {
                TerminalRescue.restore()
                _exit(1)
            }
            continuation.yield(.stop)
        }
    }
}

/// An event of a terminal.
package enum TerminalEvent: Hashable, Sendable {
    case key(Key)
    /// The window has another size, or the program continues after a stop: draw everything again.
    case changed
    /// The process got a signal to end.
    case stop
    /// The terminal is closed.
    case ended
}

/// The reason why a terminal can't be used.
package enum TerminalFailure: Error, Hashable, Sendable {
    /// Standard input or output is a file or a pipe.
    case notTerminal
    /// The process already uses the terminal.
    case inUse
    /// The system refused, with this `errno`.
    case system(Int32)
}
