import AppleIdentity

#if canImport(os)
    import os
#endif

/// One line for each answer of the server, each failure of the store and each change of the state.
///
/// A line has never a token, a name or an address.
package struct KitLog: Sendable {
    package enum Level: Sendable { case info, error }

    private let output: @Sendable (Level, String) -> Void

    package init(_ output: @escaping @Sendable (Level, String) -> Void) { self.output = output }

    func write(_ line: String, _ level: Level = .info) { output(level, line) }

    /// The system's log on Apple's systems, with the subsystem `SignInKit`; none on others.
    package static let system: KitLog = {
        #if canImport(os)
            return KitLog { level, line in
                let logger = Logger(subsystem: "SignInKit", category: "sign-in")
                logger.log(level: level == .error ? .error : .info, "\(line, privacy: .public)")
            }
        #else
            return KitLog { _, _ in }
        #endif
    }()
}

extension SignInState {
    /// The case without the user.
    var name: String {
        switch self {
        case .starting: "starting"
        case .signedOut(let reason): reason.map { "signedOut, \($0.rawValue)" } ?? "signedOut"
        case .signingIn: "signingIn"
        case .signedIn(let person): person.isConfirmed ? "signedIn" : "signedIn, not confirmed"
        case .needsAttention(let attention): "needsAttention, \(attention)"
        }
    }
}
