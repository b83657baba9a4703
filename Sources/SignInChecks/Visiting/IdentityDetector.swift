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
        // A redirect to somebody's own page names the person in its path.
        words = Self.words(of: text).union(Self.words(of: location?.path() ?? ""))
    }

    /// Whether the page shows a person's identifier.
    func shows(_ subject: String?) -> Bool { subject.map(words.contains) ?? false }

    /// Whether the page shows an identifier of the form that Apple gives people.
    var showsSubject: Bool {
        words.contains { $0.wholeMatch(of: /[0-9]{6}\.[0-9a-f]{32}\.[0-9]{4}/) != nil }
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

/// Tells people apart by their `sub` and by what the page had for them, and nobody else, each time.
struct IdentityDetector: Sendable {
    /// Apple's identifiers of the two.
    struct Subjects: Sendable {
        var victim: String?
        var attacker: String?
    }

    /// The page while nobody is signed in.
    let anonymous: Snapshot
    /// What that page shows beyond itself when it is opened again, such as the time.
    private let noise: Set<String>
    private let signedIn: Snapshot
    let subjects: Subjects
    private let hasOwnAddresses: Bool
    private let stranger: Set<String>
    private let everybody: Set<String>
    private let victim: Set<String>
    private let attacker: Set<String>

    init(
        anonymous: (Snapshot, Snapshot),
        victims: (Snapshot, Snapshot),
        attacker: Snapshot,
        subjects: Subjects = Subjects()
    ) {
        self.anonymous = anonymous.0
        self.subjects = subjects
        signedIn = victims.0
        hasOwnAddresses = victims.0.location?.path() != attacker.location?.path()
        noise = anonymous.1.words.subtracting(anonymous.0.words)
        let known = anonymous.0.words.union(anonymous.1.words)
        let stable = victims.0.words.intersection(victims.1.words)
        everybody = stable.intersection(attacker.words).subtracting(known)
        victim = stable.subtracting(attacker.words).subtracting(known)
        self.attacker = attacker.words.subtracting(victims.0.words)
            .subtracting(victims.1.words).subtracting(known)
        stranger = anonymous.0.words.intersection(anonymous.1.words)
            .subtracting(victims.0.words).subtracting(victims.1.words).subtracting(attacker.words)
    }

    /// Whether the page tells one person from another.
    var tellsPeople: Bool { !victim.isEmpty }

    func who(_ snapshot: Snapshot) -> SignedIn {
        guard isSignedIn(snapshot) else { return .nobody }
        if snapshot.shows(subjects.victim) { return .victim }
        if snapshot.shows(subjects.attacker) { return .attacker }
        if Self.has(snapshot, most: victim) { return .victim }
        return Self.has(snapshot, most: attacker) ? .attacker : .somebody
    }

    private var isDifferentAnswer: Bool {
        anonymous.status != signedIn.status
            || anonymous.location?.path() != signedIn.location?.path()
    }

    private func isSignedIn(_ snapshot: Snapshot) -> Bool {
        guard snapshot.status == signedIn.status, hasAddress(snapshot) else { return false }
        return isDifferentAnswer || snapshot.showsSubject
            || [everybody, victim, attacker].contains { Self.has(snapshot, most: $0) }
            || isUnlikeStrangers(snapshot)
    }

    /// Whether the page leads where it leads people who are signed in.
    private func hasAddress(_ snapshot: Snapshot) -> Bool {
        let path = snapshot.location?.path()
        return hasOwnAddresses
            ? path != anonymous.location?.path() : path == signedIn.location?.path()
    }

    /// Whether the page, which has none of the known people's words, is another one than a stranger's.
    ///
    /// What only people have in common, such as a word of greeting, must be there in part. Without
    /// that, the page must lack what strangers read, or have more to say than a stranger's.
    private func isUnlikeStrangers(_ snapshot: Snapshot) -> Bool {
        guard !victim.isEmpty, stranger.isDisjoint(with: snapshot.words) else { return false }
        guard everybody.isEmpty else { return !everybody.isDisjoint(with: snapshot.words) }
        let added = snapshot.words.subtracting(anonymous.words)
        return !stranger.isEmpty || added.count > noise.count
    }

    private static func has(_ snapshot: Snapshot, most words: Set<String>) -> Bool {
        !words.isEmpty && 2 * snapshot.words.intersection(words).count > words.count
    }
}
