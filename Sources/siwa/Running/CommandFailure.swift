/// Why a command ends without success: one lower-case line, and a hint for the next.
struct CommandFailure: Error {
    let message: String
    let hint: String?
    let exitCode: Int32

    init(_ message: String, hint: String? = nil, exitCode: Int32 = 1) {
        self.message = message
        self.hint = hint
        self.exitCode = exitCode
    }

    /// A failure that better arguments fix.
    static func usage(_ message: String, hint: String? = nil) -> CommandFailure {
        CommandFailure(message, hint: hint, exitCode: 2)
    }
}
