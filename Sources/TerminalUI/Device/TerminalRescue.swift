import Synchronization

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Restores the terminal however the process ends: by return, `exit`, a signal or a crash.
///
/// Signal handlers can only read atomics, so the attributes are in memory that is never freed.
/// SIGKILL cannot be handled.
enum TerminalRescue {
    /// The signals of a crash.
    private static let crashes = [SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV]
    /// The signals with which a user, a shell or the system ends or stops the process.
    private static let requests = [SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGTSTP]
    private static let news = [SIGWINCH, SIGCONT]

    private static let descriptor = Atomic<Int32>(-1)
    private static let output = Atomic<Int32>(-1)
    private static let savedAddress = Atomic<UInt>(0)
    private static let hasScreen = Atomic<Bool>(false)
    private static let pipe = Atomic<Int32>(-1)

    /// Ends bracketed paste, shows the cursor, and returns to the user's own screen.
    private static let leavingScreen: StaticString =
        "\u{1B}[0m\u{1B}[?2004l\u{1B}[?25h\u{1B}[?1049l"

    /// Saves the terminal's attributes before they are changed.
    static func prepare(input: Int32, output: Int32, attributes: termios, signalPipe: Int32) {
        let saved = UnsafeMutablePointer<termios>.allocate(capacity: 1)
        saved.initialize(to: attributes)
        savedAddress.store(UInt(bitPattern: saved), ordering: .sequentiallyConsistent)
        self.output.store(output, ordering: .sequentiallyConsistent)
        pipe.store(signalPipe, ordering: .sequentiallyConsistent)
        descriptor.store(input, ordering: .sequentiallyConsistent)
        _ = atExit
        for number in crashes + requests + news { formerHandlers.keep(number) }
        takeSignals()
    }

    /// Records that the terminal shows the program's own screen.
    static func enteredScreen() { hasScreen.store(true, ordering: .sequentiallyConsistent) }

    /// Installs the handlers, at the start and after a stop.
    static func takeSignals() {
        for number in crashes { signal(number, crashed) }
        if pipe.load(ordering: .sequentiallyConsistent) >= 0 {
            for number in requests + news { signal(number, handler) }
        } else {
            for number in requests { signal(number, asked) }
        }
    }

    /// Restores the terminal; a signal handler may call it.
    static func restore() {
        let input = descriptor.load(ordering: .sequentiallyConsistent)
        guard input >= 0 else { return }
        if hasScreen.exchange(false, ordering: .sequentiallyConsistent) {
            let text = UnsafeRawPointer(leavingScreen.utf8Start)
            _ = write(
                output.load(ordering: .sequentiallyConsistent),
                text,
                leavingScreen.utf8CodeUnitCount
            )
        }
        let address = savedAddress.load(ordering: .sequentiallyConsistent)
        if let saved = UnsafePointer<termios>(bitPattern: address) {
            _ = tcsetattr(input, TCSANOW, saved)
        }
    }

    /// Restores the terminal and the former signal handlers.
    static func finish() {
        restore()
        descriptor.store(-1, ordering: .sequentiallyConsistent)
        for number in crashes + requests + news { formerHandlers.giveBack(number) }
        pipe.store(-1, ordering: .sequentiallyConsistent)
    }

    /// Stops the process as Control-Z does, and returns when it continues.
    static func stop() {
        restore()
        // The other processes of the shell's job must stop, too, before this one does.
        signal(SIGTSTP, SIG_IGN)
        kill(0, SIGTSTP)
        signal(SIGTSTP, SIG_DFL)
        // Threads of Dispatch, and the threads that they start, block all signals.
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGTSTP)
        pthread_sigmask(SIG_UNBLOCK, &signals, nil)
        raise(SIGTSTP)
        takeSignals()
    }

    private static let atExit: Void = { _ = atexit { TerminalRescue.restore() } }()

    /// Passes the signal to the reader, which is not restricted like a handler.
    private static let handler: @convention(c) (Int32) -> Void = { number in
        let error = errno
        var byte = UInt8(truncatingIfNeeded: number)
        _ = write(TerminalRescue.pipe.load(ordering: .sequentiallyConsistent), &byte, 1)
        errno = error
    }

    private static let asked: @convention(c) (Int32) -> Void = { number in
        TerminalRescue.restore()
        signal(number, SIG_DFL)
        raise(number)
    }

    /// Restores the terminal, then passes the crash to the former handler, such as Swift's backtraces.
    private static let crashed: @convention(c) (Int32) -> Void = { number in
        TerminalRescue.restore()
        TerminalRescue.formerHandlers.giveBack(number)
        raise(number)
    }

    private static let formerHandlers = FormerHandlers()
}

/// The former signal handlers, by number, in memory that a signal handler can read.
private struct FormerHandlers: ~Copyable, Sendable {
    private static let count = 32
    private let address = Atomic<UInt>(0)

    func keep(_ number: Int32) {
        guard (0..<Int32(Self.count)).contains(number) else { return }
        sigaction(number, nil, table().advanced(by: Int(number)))
    }

    func giveBack(_ number: Int32) {
        let table = address.load(ordering: .sequentiallyConsistent)
        guard let handlers = UnsafePointer<sigaction>(bitPattern: table) else { return }
        sigaction(number, handlers.advanced(by: Int(number)), nil)
    }

    private func table() -> UnsafeMutablePointer<sigaction> {
        let known = address.load(ordering: .sequentiallyConsistent)
        if let table = UnsafeMutablePointer<sigaction>(bitPattern: known) { return table }
        let table = UnsafeMutablePointer<sigaction>.allocate(capacity: Self.count)
        table.initialize(repeating: sigaction(), count: Self.count)
        address.store(UInt(bitPattern: table), ordering: .sequentiallyConsistent)
        return table
    }
}
