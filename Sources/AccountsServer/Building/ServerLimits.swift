/// How much the server takes from a stranger.
enum ServerLimits {
    /// Bytes of a JSON body; the longest has an identity token and a name.
    static let maximumJsonByteCount = 64 * 1024
    /// Bytes of what Apple posts by itself; its notifications have about a thousand.
    static let maximumNotificationByteCount = 32 * 1024
    /// Bytes of a form from one of the own pages.
    static let maximumFormByteCount = 16 * 1024
    /// Bytes of what Apple's page posts; room for a name so long that it is worth its own answer.
    static let maximumCallbackByteCount = 192 * 1024
    /// Bytes of a callback sealed into a page and posted again.
    static let maximumRepeatedCallbackByteCount = 320 * 1024
    /// Fields of a form.
    static let maximumFormFieldCount = 32
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
    /// Seconds for which an answer that could not be finished may be posted again: the code is dead
    /// soon, but the name that came along is kept however long the store was away.
    static let repeatedCeremonyLifetime = 86_400
    /// Seconds a client may take for a request's body.
    static let bodyDeadline = 30
}
