import Foundation

/// What the page that tells who is signed in looked like once.
struct Snapshot: Sendable {
    let status: Int
    let location: URL?
    let words: Set<String>
    let text: String

    init(_ answer: WebAnswer) {
        status = answer.status
        location = answer.location
        text = WebPage.unescaped(answer.text)
        words = Self.words(of: text)
    }

    private static func words(of text: String) -> Set<String> {
        let parts = text.split { !$0.isLetter && !$0.isNumber && !"@._-".contains($0) }
        return Set(parts.map { $0.trimmingCharacters(in: .init(charactersIn: "._-")) })
    }
}

/// Who a browser is signed in as.
enum SignedIn: Hashable, Sendable {
    case nobody, victim, attacker
    /// Somebody who is neither, or whom the page does not name.
    case somebody
}

/// Tells people apart by what the page had for them, and nobody else, each time.
struct Recognition: Sendable {
    /// The page while nobody is signed in.
    let anonymous: Snapshot
    private let signedIn: Snapshot
    private let everybody: Set<String>
    private let victim: Set<String>
    private let attacker: Set<String>

    /// - Parameters:
    ///   - anonymous: the page while nobody is signed in.
    ///   - victims: the page of the victim, in two browsers.
    ///   - attacker: the page of the attacker.
    init(anonymous: Snapshot, victims: (Snapshot, Snapshot), attacker: Snapshot) {
        self.anonymous = anonymous
        signedIn = victims.0
        let stable = victims.0.words.intersection(victims.1.words)
        everybody = stable.intersection(attacker.words).subtracting(anonymous.words)
        victim = stable.subtracting(attacker.words).subtracting(anonymous.words)
        self.attacker = attacker.words.subtracting(victims.0.words)
            .subtracting(victims.1.words).subtracting(anonymous.words)
    }

    /// Whether the page tells a signed-in browser from another one.
    var tellsAnybody: Bool { isDifferentAnswer || !everybody.union(victim).isEmpty }
    /// Whether the page tells one person from another.
    var tellsPeople: Bool { !victim.isEmpty }

    func who(_ snapshot: Snapshot) -> SignedIn {
        guard isSignedIn(snapshot) else { return .nobody }
        if Self.has(snapshot, most: victim) { return .victim }
        return Self.has(snapshot, most: attacker) ? .attacker : .somebody
    }

    private var isDifferentAnswer: Bool {
        anonymous.status != signedIn.status
            || anonymous.location?.path() != signedIn.location?.path()
    }

    private func isSignedIn(_ snapshot: Snapshot) -> Bool {
        guard snapshot.status == signedIn.status,
            snapshot.location?.path() == signedIn.location?.path()
        else { return false }
        return isDifferentAnswer
            || [everybody, victim, attacker].contains { Self.has(snapshot, most: $0) }
    }

    private static func has(_ snapshot: Snapshot, most words: Set<String>) -> Bool {
        !words.isEmpty && 2 * snapshot.words.intersection(words).count > words.count
    }
}
