/// The client of a request.
package struct ClientDescription: Hashable, Sendable {
    /// The number of clients as which this machine counts: it may be a proxy that is not configured.
    package static let localClientCount = 10

    /// The device name that the client sent.
    package var device: String
    /// The IP address, or its network; attempts are counted by it.
    package var address: String
    /// The network of a provider or a large customer that contains the address.
    package var widerNetwork: String
    /// Whether the IP address is this machine's.
    package var isThisMachine: Bool
    /// The complete IP address, for the audit log.
    package var peer: String
    /// The browser and system, or a program's name, if known; never a name that a user chose.
    package var program: String
    /// The language of emails to the user, as an RFC 5646 tag.
    package var language: String
    /// The client's previous session token; a sign-in ends that session.
    package var previousSessionToken: String?
    /// The device cookie from ``AccountsService/knownDevice(of:)``.
    package var knownDevice: String?

    package init(
        device: String = "",
        address: String = "",
        widerNetwork: String? = nil,
        isThisMachine: Bool = false,
        peer: String = "",
        program: String = "",
        language: String = "en",
        previousSessionToken: String? = nil,
        knownDevice: String? = nil
    ) {
        self.device = device
        self.address = address
        self.widerNetwork = widerNetwork ?? address
        self.isThisMachine = isThisMachine
        self.peer = peer
        self.program = program
        self.language = language
        self.previousSessionToken = previousSessionToken
        self.knownDevice = knownDevice
    }
}
