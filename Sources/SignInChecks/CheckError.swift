/// Why a check could not be completed, and the next right step.
package struct CheckError: Error, Hashable, Sendable {
    /// What kept the check from a verdict.
    package enum Kind: Hashable, Sendable {
        /// An answer was not what the check needs to go on.
        case unusable
        /// Nobody answered.
        case silence
        /// The server answered that it has too much to do.
        case overload
    }

    package let kind: Kind
    /// What went wrong, in one line.
    package let message: String
    /// What to do about it.
    package let hint: String

    package init(_ message: String, hint: String, kind: Kind = .unusable) {
        self.message = message
        self.hint = hint
        self.kind = kind
    }

    static let stopped = CheckError("the check was stopped", hint: "start it again")

    /// The server limits this client, or can't keep up.
    static func overload(_ what: String, _ status: Int) -> CheckError {
        CheckError(
            "\(what) answered \(status), which says nothing about the attack",
            hint: "raise the server's limits for the check, or find out in its log why it fails",
            kind: .overload
        )
    }
}
