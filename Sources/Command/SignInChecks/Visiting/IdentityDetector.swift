import Foundation

/// The content of the page that shows which user is signed in.
struct Snapshot: Sendable {
    let status: Int
    let location: URL?
    let words: Set<String>
    let text: String

    init(_ answer: WebAnswer) {
        status = answer.status
        location = answer.location
        text = WebPage.unescaped(answer.text)
        // A redirect to a user's own page may have the user's name in its path.
        words = Self.words(of: text).union(Self.words(of: location?.path() ?? ""))
    }

    func shows(_ subject: String?) -> Bool { subject.map(words.contains) ?? false }

    /// Whether the page shows an identifier in the format of Apple's.
    var showsSubject: Bool {
        words.contains { $0.wholeMatch(of: /[0-9]{6}\.[0-9a-f]{32}\.[0-9]{4}/) != nil }
    }

    private static func words(of text: String) -> Set<String> {
        let parts = text.split { !$0.isLetter && !$0.isNumber && !"@._-".contains($0) }
        return Set(parts.map { $0.trimmingCharacters(in: .init(charactersIn: "._-")) })
    }
}

/// The user who is signed in to a browser.
enum SignedIn: Hashable, Sendable {
    case anonymous, victim, attacker
    /// Another user, or one whom the page does not name.
    case somebody
}

/// Distinguishes users by their `sub`, and by the words that the page always shows to only one of them.
struct IdentityDetector: Sendable {
    /// Apple's identifiers of victim and attacker.
    struct Subjects: Sendable {
        var victim: String?
        var attacker: String?
    }

    /// The page without a signed-in user.
    let anonymous: Snapshot
    /// The words that are new when that page is opened again, such as the time.
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

    /// Whether the page distinguishes users.
    var tellsPeople: Bool { !victim.isEmpty }

    func who(_ snapshot: Snapshot) -> SignedIn {
        guard isSignedIn(snapshot) else { return .anonymous }
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

    /// Whether the page redirects as it does for signed-in users.
    private func hasAddress(_ snapshot: Snapshot) -> Bool {
        let path = snapshot.location?.path()
        return hasOwnAddresses
            ? path != anonymous.location?.path() : path == signedIn.location?.path()
    }

    /// Whether the page, which has no words of the known users, differs from the one without a signed-in user.
    ///
    /// It must have some of the words that all users see, such as a greeting. Without such words, it must lack the words
    /// of the page without a user, or have more additional words than that page.
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
