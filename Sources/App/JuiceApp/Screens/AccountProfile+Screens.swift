import Foundation
import SignInKit

extension ResultScreen {
    init(_ person: SignedInPerson) {
        let account = person.account
        let name = account.parts
        self.init(
            identifier: account.apple?.user.rawValue ?? JuiceTexts.noIdentifier,
            givenName: name.givenName ?? JuiceTexts.noName,
            familyName: name.familyName ?? JuiceTexts.noName,
            email: account.email ?? JuiceTexts.noEmail,
            emailNote: account.emailNote,
            unconfirmedNote: person.isConfirmed ? nil : JuiceTexts.notConfirmed
        )
    }
}

extension AccountScreen {
    init(_ person: SignedInPerson) {
        let account = person.account
        let hasPassword = account.username != nil
        self.init(
            name: account.displayName ?? JuiceTexts.noName,
            email: account.email ?? JuiceTexts.noEmail,
            emailNote: account.emailNote,
            waysIn: account.waysIn,
            memberSince: JuiceDay.text(account.createdAt),
            unconfirmedNote: person.isConfirmed ? nil : JuiceTexts.notConfirmed,
            canLinkApple: account.apple == nil,
            canUnlinkApple: account.apple != nil && hasPassword,
            unlinkNote: account.apple != nil && !hasPassword ? JuiceTexts.appleIsOnlyWayIn : nil,
            hasPassword: hasPassword
        )
    }
}

extension SessionLine {
    init(_ session: SessionSummary) {
        self.init(
            id: session.id,
            device: session.device.isEmpty ? JuiceTexts.unknownDevice : session.device,
            lastUsed: JuiceTexts.lastUsed(JuiceDay.text(session.lastUsedAt)),
            isCurrent: session.isCurrent
        )
    }
}

extension AccountProfile {
    /// The parts of the name; guessed if the server has it only as one string.
    fileprivate var parts: PersonName {
        givenName == nil && familyName == nil
            ? PersonName(readingDisplayName: name ?? "")
            : PersonName(givenName: givenName, familyName: familyName)
    }

    var emailNote: String? {
        guard email != nil else { return nil }
        guard emailIsPrivateRelay else {
            return emailIsVerified ? nil : JuiceTexts.emailIsUnproved
        }
        return emailDeliverable ? JuiceTexts.relayExplained : JuiceTexts.relayIsOff
    }

    var waysIn: [String] {
        let apple = apple.map {
            $0.revokedAt == nil ? JuiceTexts.appleWayIn : JuiceTexts.appleWayInStopped
        }
        return [apple, username.map(JuiceTexts.passwordWayIn)].compactMap(\.self)
    }
}

extension PersonName {
    /// Reads a name that the server stores as one string.
    ///
    /// The last word is the family name; a single word is a given name.
    init(readingDisplayName text: String) {
        let words = text.split(separator: " ")
        self.init(
            givenName: words.count > 1
                ? words.dropLast().joined(separator: " ") : words.first.map(String.init),
            familyName: words.count > 1 ? words.last.map(String.init) : nil
        )
    }
}

/// Formats days, the same on every system.
enum JuiceDay {
    static func text(_ date: Date) -> String {
        date.formatted(.iso8601.year().month().day())
    }
}
