import AppleIdentity
import Foundation

extension EmulatorState {
    /// The recipient of mail to an email address.
    private struct Mailbox {
        /// The person with the address; nil if no person has it.
        let person: Person?
        /// The team of the relay address; nil for a real email address.
        let teamID: TeamID?
        let deliveredTo: String
    }

    // MARK: Receiving

    /// Checks a recipient by the envelope so far, and records a refusal.
    mutating func admit(_ recipient: MailAddress, from sender: MailAddress?) -> MailReply? {
        do throws(MailRefusal) {
            _ = try mailbox(of: recipient)
            return nil
        } catch {
            bounce(error, sender: sender, recipient: recipient)
            return error.reply
        }
    }

    /// Delivers a mail to each recipient; replies with a refusal if none received it.
    mutating func receive(_ envelope: MailEnvelope, _ content: Data) -> MailReply {
        guard content.count <= MailStore.maximumMessageByteCount else {
            return MailReply(552, "5.3.4", "the message is too big")
        }
        // Each recipient gets a copy, and the total size of stored mail is limited.
        let recipientCount = Set(envelope.recipients.map(\.key)).count
        guard content.count * recipientCount <= MailStore.maximumKeptByteCount else {
            return MailReply(452, "4.5.3", "send a message of this size to fewer recipients")
        }
        var refusal: MailReply?
        var numbers: [Int] = []
        let header = MailHeader(content)
        guard !header.hasTooManyFields else {
            let text = "the header has more than \(MailHeader.maximumFieldCount) fields"
            return MailReply(554, "5.6.0", text)
        }
        // A repeated recipient gets one copy.
        var reached: Set<String> = []
        for recipient in envelope.recipients where reached.insert(recipient.key).inserted {
            do throws(MailRefusal) {
                numbers.append(try deliver(content, header, envelope, to: recipient))
            } catch {
                bounce(error, sender: envelope.sender, recipient: recipient, content)
                refusal = refusal ?? error.reply
            }
        }
        if numbers.isEmpty, let refusal { return refusal }
        let text = numbers.map(String.init).joined(separator: " ")
        return MailReply(250, "2.0.0", "delivered as \(text)")
    }

    private mutating func deliver(
        _ content: Data,
        _ header: MailHeader,
        _ envelope: MailEnvelope,
        to recipient: MailAddress
    ) throws(MailRefusal) -> Int {
        let mailbox = try mailbox(of: recipient)
        let now = clock.now
        let from = header.single("From").flatMap { MailMailbox($0) }
        let replyTo = header.single("Reply-To").map(MailMailbox.all) ?? []
        var seen = RelayedContent.trace(envelope, recipient: recipient, at: now) + content
        if let teamID = mailbox.teamID {
            try authorize(header, from: from?.address, envelope: envelope, teamID: teamID)
            mail.count(recipient, at: now)
            seen = relayed(content, header, envelope, from: from, replyTo: replyTo, to: recipient)
        }
        let number = mail.nextNumber()
        mail.add(
            InboxMail(
                number: number,
                time: now,
                personID: mailbox.person?.id,
                person: mailbox.person?.account.email,
                deliveredTo: mailbox.deliveredTo,
                relayAddress: mailbox.teamID == nil ? nil : recipient,
                teamID: mailbox.teamID,
                sender: envelope.sender,
                replyTo: (replyTo.first ?? from)?.address ?? envelope.sender,
                content: seen,
                headline: InboxMail.headline(of: MailHeader(seen))
            )
        )
        return number
    }

    private mutating func relayed(
        _ content: Data,
        _ header: MailHeader,
        _ envelope: MailEnvelope,
        from: MailMailbox?,
        replyTo: [MailMailbox],
        to recipient: MailAddress
    ) -> Data {
        let now = clock.now
        // The envelope's sender replaces a From field that cannot be read.
        let source = from?.address ?? envelope.sender
        let fromAlias = source.map { alias(of: $0, for: recipient) } ?? recipient
        let replyAlias = replyTo.map {
            (phrase: $0.phrase, alias: alias(of: $0.address, for: recipient))
        }
        let outside = MailEnvelope(
            clientName: envelope.clientName,
            sender: envelope.sender.map { alias(of: $0, for: recipient) },
            recipients: [recipient]
        )
        return RelayedContent.trace(outside, recipient: recipient, at: now)
            + RelayedContent.make(
                of: content,
                header: header,
                from: (from?.phrase ?? "", fromAlias),
                replyTo: replyAlias
            )
    }

    private mutating func alias(of sender: MailAddress, for relay: MailAddress) -> MailAddress {
        mail.alias(of: sender, for: relay, identifierKey: configuration.identifierKey)
    }

    // MARK: Checking

    /// Returns the mailbox of an address.
    ///
    /// Apple's rules apply to relay addresses only. Mail to every other address is accepted,
    /// because the emulator is also the mail server of the server under test.
    ///
    /// - Throws: ``MailRefusal`` if the relay refuses mail to the address.
    private func mailbox(of address: MailAddress) throws(MailRefusal) -> Mailbox {
        let relayed = people.person(relayAddress: address.text)
        guard isRelayAddress(address.text) else {
            let person = people.person(email: address.text)
            return Mailbox(person: person, teamID: nil, deliveredTo: address.text)
        }
        guard let (person, teamID) = relayed else { throw .gone(address) }
        let groups = person.consents.filter { group, consent in
            consent.email == .hide && registry.apps[group]?.teamID == teamID
        }
        guard !groups.isEmpty else { throw .gone(address) }
        // A team's apps share the address: it is off only if forwarding is off for all of them.
        guard !groups.keys.allSatisfy(person.groupsWithoutForwarding.contains) else {
            throw .forwardingIsOff(address)
        }
        guard !mail.isFull(address, at: clock.now) else { throw .tooMany(address) }
        return Mailbox(person: person, teamID: teamID, deliveredTo: person.forwardingAddress)
    }

    /// Whether an address is a relay address: an issued one, or one of a relay domain.
    func isRelayAddress(_ text: String) -> Bool {
        guard people.person(relayAddress: text) == nil else { return true }
        let domains = EmulatorSwitches.RelayDomain.allCases.filter(\.isOnlyForRelays)
        return domains.contains { MailAddress(text)?.isUnder($0.rawValue) == true }
    }

    /// Checks the sender by the registered sources instead of DNS.
    ///
    /// SPF passes if the envelope's sender is one. DKIM passes if a signature is by the domain of
    /// the From field, and that is one.
    private func authorize(
        _ header: MailHeader,
        from: MailAddress?,
        envelope: MailEnvelope,
        teamID: TeamID
    ) throws(MailRefusal) {
        let envelopeSource = mail.sources.source(of: envelope.sender, teamID: teamID)
        let fromSource = mail.sources.source(of: from, teamID: teamID)
        if let envelopeSource, envelopeSource.hasSPF { return }
        let isSigned = header.all("DKIM-Signature").contains { value in
            MailContentType("dkim;" + value).parameters["d"].map { from?.isUnder($0) == true }
                ?? false
        }
        if isSigned, let fromSource, fromSource.hasDKIM { return }
        guard envelopeSource == nil, fromSource?.hasSPF != false else { throw .unauthenticated }
        throw .unauthorized(envelope.sender, team: teamID.rawValue)
    }

    private mutating func bounce(
        _ refusal: MailRefusal,
        sender: MailAddress?,
        recipient: MailAddress,
        _ content: Data = Data()
    ) {
        let person = people.person(relayAddress: recipient.text)?.person
        mail.add(
            MailBounce(
                number: mail.nextNumber(),
                time: clock.now,
                sender: sender,
                recipient: recipient,
                personID: person?.id,
                person: person?.account.email,
                refusal: refusal,
                content: content,
                headline: InboxMail.headline(of: MailHeader(content))
            )
        )
    }
}
