import Synchronization

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Gives the terminal back as it was, whichever way the process ends: return, `exit`, a signal or a crash.
///
/// Signal handlers can only use what is in atomics, so the attributes are at an address that is never freed.
/// Nothing can help against SIGKILL.
enum TerminalRescue {
    /// What ends the process at once when nobody handles it, and is no wish of a person.
    private static let crashes = [SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV]
    /// What a person, a shell or the system sends to end or to stop the process.
    private static let requests = [SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGTSTP]
    private static let news = [SIGWINCH, SIGCONT]

    private static let descriptor = Atomic<Int32>(-1)
    private static let output = Atomic<Int32>(-1)
    private static let savedAddress = Atomic<UInt>(0)
    private static let hasScreen = Atomic<Bool>(false)
    private static let pipe = Atomic<Int32>(-1)

    /// Ends pasting in brackets, shows the cursor in its usual look, and brings the person's own screen back.
    private static let leavingScreen: StaticString =
        "\u{1B}[0m\u{1B}[?2004l\u{1B}[?25h\u{1B}[?1049l"

    /// Remembers how the terminal is, before anything is changed.
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

    /// From here on the terminal shows the program's own screen.
    static func enteredScreen() { hasScreen.store(true, ordering: .sequentiallyConsistent) }

    /// Sets the handlers; again after the process was stopped.
    static func takeSignals() {
        for number in crashes { signal(number, crashed) }
        if pipe.load(ordering: .sequentiallyConsistent) >= 0 {
            for number in requests + news { signal(number, told) }
        } else {
            for number in requests { signal(number, asked) }
        }
    }

    /// Gives the terminal back; a second call does nothing.
    ///
    /// It may be called in a signal handler.
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

    /// Gives the terminal back, and the signals to whoever had them.
    static func finish() {
        restore()
        descriptor.store(-1, ordering: .sequentiallyConsistent)
        for number in crashes + requests + news { formerHandlers.giveBack(number) }
        pipe.store(-1, ordering: .sequentiallyConsistent)
    }

    /// Stops the process as Control-Z does, and returns when it goes on.
    static func stop() {
        restore()
        // The others of the shell's job stop too; this process only after it has told them.
        signal(SIGTSTP, SIG_IGN)
        kill(0, SIGTSTP)
        signal(SIGTSTP, SIG_DFL)
        // Threads that Dispatch has begun, and theirs, hold back all signals.
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGTSTP)
        pthread_sigmask(SIG_UNBLOCK, &signals, nil)
        raise(SIGTSTP)
        takeSignals()
    }

    private static let atExit: Void = { _ = atexit { TerminalRescue.restore() } }()

    /// Tells the reader, which may do what a handler may not.
    private static let told: @convention(c) (Int32) -> Void = { number in
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

    /// Whoever handled crashes before, such as Swift's backtraces, does so now.
    private static let crashed: @convention(c) (Int32) -> Void = { number in
        TerminalRescue.restore()
        TerminalRescue.formerHandlers.giveBack(number)
        raise(number)
    }

    private static let formerHandlers = FormerHandlers()
}

/// What handled the signals first, by number, where a signal handler can reach it.
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
