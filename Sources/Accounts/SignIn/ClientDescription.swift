/// Who asks, as far as a request tells.
package struct ClientDescription: Hashable, Sendable {
    /// What the client calls itself.
    package var device: String
    /// The address it asks from, or the network that stands for it; attempts are counted by it.
    package var address: String
    /// The whole address, which the audit log keeps.
    package var peer: String
    /// The browser and system, or the name of a program, as far as either is known: nothing that people choose.
    package var program: String
    /// The language of mails that follow, as an RFC 5646 tag.
    package var language: String
    /// The session token the client has had so far; that session ends with a sign-in.
    package var previousSessionToken: String?
    /// What ``AccountsService/knownDevice(of:)`` gave the browser.
    package var knownDevice: String?

    package init(
        device: String = "",
        address: String = "",
        peer: String = "",
        program: String = "",
        language: String = "en",
        previousSessionToken: String? = nil,
        knownDevice: String? = nil
    ) {
        self.device = device
        self.address = address
        self.peer = peer
        self.program = program
        self.language = language
        self.previousSessionToken = previousSessionToken
        self.knownDevice = knownDevice
    }
}
