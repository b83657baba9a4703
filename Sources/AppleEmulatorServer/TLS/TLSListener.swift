import AppleIdentity

/// Where Apple's port listens for TLS, and who vouches for it.
package struct TLSListener: Sendable {
    package let host: String
    /// The port; 0 picks a free one.
    package let port: Int
    let authority: LocalAuthority
    /// The authority's certificate, for clients; nil when no file has it.
    package let certificatePath: String?
    let time: TimeSource

    package init(
        host: String = "127.0.0.1",
        port: Int,
        authority: LocalAuthority,
        certificatePath: String? = nil,
        time: TimeSource = .live
    ) {
        self.host = host
        self.port = port
        self.authority = authority
        self.certificatePath = certificatePath
        self.time = time
    }
}

/// Why there is no certificate authority to serve with: a sentence, and what to do.
package struct TLSFailure: Error, Hashable, CustomStringConvertible {
    /// One lower-case line.
    package let message: String
    package let hint: String

    package var description: String { message }
}
