import AppleEmulator
import AppleIdentity
import Foundation
import Testing

// Fidelity: mail-1, mail-3, mail-5, mail-6, mail-7, mail-8, mail-9, mail-10, mail-11, mail-12
// Fidelity: mail-13, mail-14, mail-15, mail-16, mail-17, mail-18, mail-19, transfer-18
/// Which mail reaches people, and in which words the rest is refused.
final class RelayMailTests: BoxSuite {
    @Test func mailToARelayAddressReachesThePerson() async throws {
        let relay = try await box.relayAddress()
        #expect(await box.mail(to: [relay]) == "250 2.0.0 delivered as 1")
        let mail = try await box.lastMail()
        #expect(mail["person"] == "maya@example.com" && mail["relay_email"] == .string(relay))
        #expect(mail["subject"] == "Hi" && mail["text"] == "Hello.\r\n")
        #expect(mail["team_id"] == .string(Box.team))
        #expect(mail["envelope_sender"] == .string(Box.sender))
    }

    @Test func theSenderIsReplacedByAnAliasThatStays() async throws {
        let relay = try await box.relayAddress()
        let lines = [
            "From: \"Juice, Inc.\" <news@juice.example.com>",
            "Reply-To: help@juice.example.com", "Sender: robot@juice.example.com", "", "Hello.",
        ]
        await box.mail(to: [relay], lines)
        let first = try await box.lastMail()
        await box.mail(to: [relay], lines)
        let second = try await box.lastMail()
        let from = try #require(first["from"]?.stringValue)
        #expect(from.hasPrefix("\"Juice, Inc.\" <news_at_juice_example_com_"))
        #expect(from.hasSuffix("@privaterelay.appleid.com>"))
        #expect(second["from"] == first["from"] && second["reply_to"] == first["reply_to"])
        #expect(first["reply_to"]?.stringValue?.contains("help_at_juice") == true)
        let raw = try #require(first["raw"]?.stringValue)
        #expect(!raw.contains("@juice.example.com"))
    }

    @Test func everyAddressToAnswerGetsAnAliasAndLongFieldsAreFolded() async throws {
        let relay = try await box.relayAddress()
        let name = Array(repeating: "Juice", count: 300).joined(separator: "\r\n ")
        await box.mail(
            to: [relay],
            [
                "From: \(name) <news@juice.example.com>",
                "Reply-To: Help <help@juice.example.com>, sales@juice.example.com", "", "Hello.",
            ]
        )
        let mail = try await box.lastMail()
        let replyTo = try #require(mail["reply_to"]?.stringValue)
        #expect(replyTo.hasPrefix("Help <help_at_juice") && replyTo.contains(", <sales_at_juice"))
        let raw = try #require(mail["raw"]?.stringValue)
        #expect(!raw.contains("@juice.example.com"))
        #expect(raw.components(separatedBy: "\r\n").allSatisfy { $0.utf8.count <= 998 })
        #expect(mail["from"]?.stringValue?.components(separatedBy: "Juice ").count == 301)
    }

    @Test func aLongMailGoesToFewRecipients() async throws {
        let box = try await Box { seed in
            seed.people += (1...10).map { SeedPerson(email: "p\($0)@example.com") }
        }
        let recipients = (1...10).map { "p\($0)@example.com" }
        let content = Data(repeating: 0x61, count: AppleEmulator.maximumMailByteCount)
        let answer = await box.apple.receiveMail(content, from: nil, to: recipients)
        #expect(answer == "452 4.5.3 send a message of this size to fewer recipients")
        #expect(try await box.mailList("messages").isEmpty)
        let again = Array(repeating: recipients[0], count: 10)
        #expect(await box.apple.receiveMail(content, from: nil, to: again).hasPrefix("250"))
    }

    @Test func aMailWithTooManyFieldsIsRefusedAndARecipientGetsOneCopy() async throws {
        let fields = Array(repeating: "A: b", count: 1_001)
        let answer = await box.mail(to: ["maya@example.com"], fields + ["", "x"])
        #expect(answer == "554 5.6.0 the header has more than 1000 fields")
        let twice = await box.mail(to: ["maya@example.com", "MAYA@example.com"])
        #expect(twice == "250 2.0.0 delivered as 1")
    }

    @Test func aTeamsAppsShareTheAddressAndOtherTeamsHaveAnother() async throws {
        let box = try await Box { $0.addOtherTeam(app: "com.example.other") }
        let relay = try await box.relayAddress()
        let other = try await box.credentials(["client_id": "com.example.other", "email": "hide"])
        let otherRelay = try #require(other["email"]?.stringValue)
        #expect(relay != otherRelay)
        let answer = await box.mail(to: [otherRelay])
        #expect(answer == "550 5.1.1 <news@juice.example.com>: unauthorized sender")
    }

    @Test func mailReachesPeopleByTheirOwnAddressUnchanged() async throws {
        #expect(await box.mail(to: ["MAYA@example.com"]).hasPrefix("250 "))
        let mail = try await box.lastMail()
        #expect(mail["from"] == "Juice <news@juice.example.com>" && mail["relay_email"] == nil)
    }

    @Test func mailToAddressesOfNoPersonIsKept() async throws {
        #expect(await box.mail(to: ["Pia@new.example.com"]) == "250 2.0.0 delivered as 1")
        let mail = try await box.lastMail()
        #expect(mail["delivered_to"] == "Pia@new.example.com" && mail["person"] == nil)
        let sent = try await box.apple.replyToMail(id: "1", ["text": "Hello"])
        #expect(sent["from"] == "Pia@new.example.com" && sent["person"] == nil)
        for email in ["pia@new.example.com", nil] {
            #expect(try await box.mailList("messages", of: email).count == 1)
            #expect(try await box.mailList("sent", of: email).count == 1)
        }
        #expect(try await box.mailList("messages", of: Box.maya).isEmpty)
        let unknown = await box.mail(to: ["pia@privaterelay.appleid.com"])
        #expect(unknown == "550 5.7.1 Email rejected due to transformation error")
    }

    @Test func hiddenMailGoesToTheAddressThePersonChose() async throws {
        let box = try await Box { $0.people[0].otherEmails = ["maya@work.example.com"] }
        let relay = try await box.relayAddress()
        var browser = AccountBrowser(box)
        let page = await browser.signIn()
        let address = ["address": "maya@work.example.com"]
        _ = await browser.submit(page, to: "/account/forward-to", address)
        await box.mail(to: [relay])
        let hidden = try await box.lastMail()
        #expect(hidden["delivered_to"] == "maya@work.example.com")
        #expect(hidden["person"] == "maya@example.com")
        await box.mail(to: ["maya@example.com"])
        #expect(try await box.lastMail()["delivered_to"] == "maya@example.com")
        #expect(try await box.mailList("messages", of: Box.maya).count == 2)
    }

    @Test func mailReachesWhoSignedOut() async throws {
        let relay = try await box.relayAddress()
        var browser = AccountBrowser(box)
        let account = await browser.signIn()
        _ = await browser.submit(account, to: "/account/sign-out")
        #expect(await browser.open("/account").asksPassword)
        #expect(await box.mail(to: [relay]).hasPrefix("250 "))
        #expect(try await box.lastMail()["person"] == "maya@example.com")
    }

    // MARK: Refusals

    @Test func aTeamThatGaveItsOnlyAppAwayWritesToNobodyThere() async throws {
        let box = try await Box { $0.addOtherTeam() }
        let relay = try await box.relayAddress()
        try await box.transfer()
        #expect(await box.mail(to: [relay]).hasPrefix("550 5.7.1 "))
        let other = try #require(await box.deviceToken().claims["email"]?.stringValue)
        #expect(other != relay)
        #expect(await box.mail(to: [other]).contains("unauthorized sender"))
        try await box.addSource(["team_id": "OTHERTEAM1", "domain": "juice.example.com"])
        #expect(await box.mail(to: [other]).hasPrefix("250 "))
    }

    @Test(arguments: [
        ("news@sub.juice.example.com", "another domain"), ("news@example.com", "the parent"),
    ])
    func theEnvelopesDomainMatchesExactly(sender: String, what: String) async throws {
        let answer = await box.mail(to: [try await box.relayAddress()], from: sender)
        #expect(answer == "550 5.1.1 <\(sender)>: unauthorized sender", "\(what)")
        let bounce = try #require(try await box.mailList("bounces").first)
        #expect(bounce["smtp"] == .string(answer) && bounce["person"] == "maya@example.com")
        #expect(bounce["reason"]?.stringValue?.isEmpty == false && bounce["hint"] != nil)
        #expect(try await box.mailList("messages").isEmpty)
    }

    @Test func anAddressIsASourceByItself() async throws {
        try await box.addSource(["address": "Anna@example.org"])
        let relay = try await box.relayAddress()
        #expect(await box.mail(to: [relay], from: "anna@EXAMPLE.org").hasPrefix("250 "))
        #expect(await box.mail(to: [relay], from: "otto@example.org").hasPrefix("550 5.1.1 "))
    }

    @Test func aSignatureOfTheFromFieldsDomainDoesForAForeignEnvelope() async throws {
        let relay = try await box.relayAddress()
        let from = "From: news@juice.example.com"
        let signed = ["DKIM-Signature: v=1; d=juice.example.com; s=a; b=AA==", from, "", "x"]
        let other = ["DKIM-Signature: v=1; d=other.example.com; s=a; b=AA==", from, "", "x"]
        let bounces = "bounces@esp.example.net"
        #expect(await box.mail(to: [relay], from: bounces, signed).hasPrefix("250 "))
        #expect(await box.mail(to: [relay], from: nil, signed).hasPrefix("250 "))
        let unauthorized = "550 5.1.1 <\(bounces)>: unauthorized sender"
        #expect(await box.mail(to: [relay], from: bounces, other) == unauthorized)
        let twice = [signed[0], from, from, "", "x"]
        #expect(await box.mail(to: [relay], from: bounces, twice) == unauthorized)
        #expect(
            await box.mail(to: [relay], from: nil, [from, "", "x"])
                == "550 5.1.1 <>: unauthorized sender"
        )
    }

    @Test func neitherSPFNorDKIMIsRefused() async throws {
        try await box.addSource(["domain": "bare.example.com", "authentication": "none"])
        try await box.addSource(["domain": "signed.example.com", "authentication": "dkim"])
        let relay = try await box.relayAddress()
        let words = "554 5.7.1 [HME1] This message was rejected for failing both SPF and DKIM"
        for domain in ["bare", "signed"] {
            let answer = await box.mail(to: [relay], from: "a@\(domain).example.com")
            #expect(answer == words)
        }
        let signed = [
            "DKIM-Signature: d=signed.example.com", "From: a@signed.example.com", "", "x",
        ]
        #expect(await box.mail(to: [relay], from: "a@signed.example.com", signed).hasPrefix("250"))
    }

    @Test func noMailIsForwardedWhileThePersonDoesNotWantIt() async throws {
        let relay = try await box.relayAddress()
        try await box.apple.setForwarding(Box.maya, clientID: ClientID(Box.app), enabled: false)
        #expect(await box.mail(to: [relay]) == "550 5.7.1 Relay not permitted")
        try await box.apple.setForwarding(Box.maya, clientID: ClientID(Box.app), enabled: true)
        #expect(await box.mail(to: [relay]).hasPrefix("250 "))
    }

    @Test func anAddressThatIsGoneIsRefused() async throws {
        let relay = try await box.relayAddress()
        let words = "550 5.7.1 Email rejected due to transformation error"
        #expect(await box.mail(to: ["nobody1234@privaterelay.appleid.com"]) == words)
        #expect(await box.mail(to: ["nobody1234@private.icloud.com"]) == words)
        #expect(await box.mail(to: ["nobody1234@icloud.com"]) != words)
        try await box.apple.stopUsing(Box.maya, clientID: ClientID(Box.app))
        #expect(await box.mail(to: [relay]) == words)
        _ = try await box.credentials(["email": "hide"])
        #expect(await box.mail(to: [relay]).hasPrefix("250 "))
        try await box.apple.deletePerson(Box.maya)
        #expect(await box.mail(to: [relay]) == words)
    }

    @Test func aRelayAddressTakesAHundredMailsADay() async throws {
        let relay = try await box.relayAddress()
        _ = try await box.apple.moveClock(["now": "2026-03-01T08:00:00Z"])
        for _ in 1...100 { #expect(await box.mail(to: [relay]).hasPrefix("250 ")) }
        #expect(await box.mail(to: [relay]).hasPrefix("450 4.7.1 "))
        #expect(await box.mail(to: ["maya@example.com"]).hasPrefix("250 "))
        try await box.advance(bySeconds: 86_400)
        #expect(await box.mail(to: [relay]).hasPrefix("250 "))
    }

    @Test func wrongAddressesAndEmptyMail() async throws {
        #expect(await box.mail(to: ["maya"]) == "501 5.1.3 this is not an email address")
        #expect(
            await box.mail(to: [Box.maya], from: "a b@c")
                == "501 5.1.3 this is not an email address"
        )
        let empty = await box.apple.receiveMail(Data(), from: nil, to: [Box.maya])
        #expect(empty.hasPrefix("250 "))
        #expect(try await box.lastMail()["text"] == "")
        let big = Data(repeating: 0x41, count: 20 * 1024 * 1024 + 1)
        let answer = await box.apple.receiveMail(big, from: nil, to: [Box.maya])
        #expect(answer == "552 5.3.4 the message is too big")
    }
}
