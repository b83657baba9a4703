import Foundation

/// The account page's words in one language.
struct AccountText {
    /// Everything the page says; names and addresses take the place of `{name}`.
    enum Word: String, CaseIterable {
        case title
        case signInTitle, signInLead, email, password, signIn, people, peoplePassword
        case twoFactorTitle, twoFactorLead, trustedDevice, sixDigits, goOn, otherAccount
        case apps, appsLead, noApps, noAppsLead, appSince, hidesEmail, sharesEmail, sharesNoEmail
        case allApps, shared, name, notShared, relayAddress, forwarding, forwardedTo, notForwarded
        case about, since, lastUsed, developer, alsoCovers
        case stopUsing, stopTitle, stopLead, stopNext, stopConfirm, cancel
        case forwardTitle, forwardLead, save
        case signOut, delete, deleteTitle, deleteLead, deleteApps, understand, deleteConfirm
        case stopped, forwardingOn, forwardingOff, forwardToChanged, signedOut, deleted
        case wrongPassword, wrongDigits, tooManyAttempts, signInOver, outOfDate, foreignForm
        case notUnderstood, unknownApp, noRelayAddress, chooseAddress, understandFirst
        case failureTitle, backToAccount, emulatorHint
    }

    let language: SheetLanguage
    private let words: [Word: String]

    init(language: SheetLanguage, words: [Word: String]) {
        self.language = language
        self.words = words
    }

    subscript(word: Word) -> String { words[word] ?? word.rawValue }

    /// A text about somebody or something, whose name may be written in another direction.
    func callAsFunction(_ word: Word, _ name: String) -> String {
        self[word].replacing("{name}", with: "\u{2068}\(name)\u{2069}")
    }

    /// A day, as people who read this language write it.
    func day(_ date: Date) -> String {
        date.formatted(
            Date.FormatStyle(
                date: .long,
                time: .omitted,
                locale: Locale(identifier: language.tag),
                timeZone: .gmt
            )
        )
    }

    /// Every word by its name, for templates.
    var values: [String: String] {
        Dictionary(uniqueKeysWithValues: Word.allCases.map { ($0.rawValue, self[$0]) })
    }
}
