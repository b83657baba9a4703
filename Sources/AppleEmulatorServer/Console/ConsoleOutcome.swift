import AppleEmulator
import AppleEmulatorPages

/// What a posted form came to.
enum ConsoleOutcome {
    /// It was done; the browser goes on to a page that says so.
    case done(ConsoleNotice, at: String)
    /// It was done, and the answer itself has what is shown only once.
    case shown(ConsolePage, ConsoleNotice)
}
