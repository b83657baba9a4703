/// How much the server takes from a stranger; the routes of the sign-in have limits of their own.
enum ServerLimits {
    /// Bytes of a JSON body.
    static let maximumJsonByteCount = 64 * 1024
    /// Bytes of a form from one of the own pages.
    static let maximumFormByteCount = 16 * 1024
    /// Bytes of one header field, and of all of them.
    static let maximumHeaderByteCount = 32 * 1024
    /// Header fields of a request.
    static let maximumHeaderFieldCount = 100
    /// Connections open at once.
    static let maximumConnectionCount = 4096
    /// Seconds after which a silent connection is closed.
    static let connectionIdleSeconds = 60
    /// Bytes of an identifier in a path.
    static let maximumIdentifierByteCount = 128
}
