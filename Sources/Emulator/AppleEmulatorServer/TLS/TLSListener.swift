import AppleIdentity

/// The address of Apple's port over TLS, and its certificate authority.
package struct TLSListener: Sendable {
    package let host: String
    /// The port; 0 picks a free one.
    package var port: Int
    let authority: LocalAuthority
    /// The path of the authority's certificate for clients; nil if there is no file.
    package let certificatePath: String?
    let time: TimeSource

    package init(
        host: String = "127.0.0.1",
        port: Int,
        authority: LocalAuthority,
        certificatePath: String? = nil,
        time: TimeSource = .live
    ) {
        (self.host, self.port, self.authority) = (host, port, authority)
        (self.certificatePath, self.time) = (certificatePath, time)
    }
}

/// A failure to read or create the certificate authority, with a hint.
package struct TLSFailure: Error, Hashable, CustomStringConvertible {
    /// One lower-case line.
    package let message: String
    package let hint: String

    package var description: String { message }
}
