/// Says that mail is not relayed, to whoever named a port for it.
enum MailRelayNotice {
    static func writeIfNeeded(_ smtpPort: Int?) {
        guard smtpPort != nil else { return }
        Console().writeError("note: this version relays no mail; --smtp-port has no effect")
    }
}
