import Foundation
import Synchronization

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A terminal that belongs to the program for a while: keys come one by one, and the screen is its own.
///
/// It works the same over ssh and inside tmux. The terminal is given back by ``close()``, and by every other end of the process.
package final class Terminal: Sendable {
    /// How long the rest of a sequence may take, before its escape is the key of that name.
    private static let escapeMilliseconds: Int32 = 60
    private static let isInUse = Atomic<Bool>(false)

    private let input: Int32
    private let output: Int32
    private let raw: termios
    /// Both ends of the pipe in which signals are told.
    private let signals: (read: Int32, write: Int32)
    /// What happens at the terminal; one task reads it.
    package let events: AsyncStream<TerminalEvent>
    private let told: AsyncStream<TerminalEvent>.Continuation

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
        (events, told) = AsyncStream.makeStream(of: TerminalEvent.self)
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

    /// Sends a text with its sequences, whole.
    package func write(_ text: String) {
        guard !text.isEmpty else { return }
        SystemLibrary.write(Array(text.utf8), to: output)
    }

    /// Stops the process as Control-Z does; returns when it goes on, with the terminal taken again.
    package func suspend() {
        TerminalRescue.stop()
        enter()
        told.yield(.changed)
    }

    /// Gives the terminal back.
    package func close() {
        TerminalRescue.finish()
        // The reader ends at a byte that no signal has.
        SystemLibrary.write([0], to: signals.write)
        told.finish()
        Self.isInUse.store(false, ordering: .sequentiallyConsistent)
    }

    private func enter() {
        SystemLibrary.set(raw, of: input)
        TerminalRescue.enteredScreen()
        write("\u{1B}[?1049h\u{1B}[?2004h\u{1B}[2J")
    }

    /// Keys one by one, unseen, and Control-C as a key (termios(3), what cfmakeraw does, but with output as usual).
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
                    told.yield(.ended)
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
            if key == .control("z") { suspend() } else { told.yield(.key(key)) }
        }
    }

    private func handle(_ number: Int32, _ stopCount: inout Int) {
        switch number {
        case SIGWINCH: told.yield(.changed)
        case SIGCONT:
            enter()
            told.yield(.changed)
        case SIGTSTP: suspend()
        default:
            // A program that did not end when it was asked to ends when it is asked again.
            stopCount += 1
            if stopCount > 1 {
                TerminalRescue.restore()
                _exit(1)
            }
            told.yield(.stop)
        }
    }
}

/// What a terminal tells.
package enum TerminalEvent: Hashable, Sendable {
    case key(Key)
    /// The window has another size, or the program goes on after it was stopped: draw everything again.
    case changed
    /// The process was asked to end.
    case stop
    /// Nobody is at the terminal any more.
    case ended
}

/// Why a terminal can't be used.
package enum TerminalFailure: Error, Hashable, Sendable {
    /// Standard input or output is a file or a pipe.
    case notTerminal
    /// The process uses it already.
    case inUse
    /// The system refused, with its own number of the error.
    case system(Int32)
}
