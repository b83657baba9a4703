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
