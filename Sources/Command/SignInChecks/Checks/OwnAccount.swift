import Foundation

/// The account of a user whose email address another user later gets, too.
///
/// A server that finds accounts by email address may give the account the other user's name, so the check examines
/// both browsers. The account is new; the victim's does not change.
struct OwnAccount {
    let owner: CheckPerson
    private let context: CheckContext
    private let visit: Visit
    /// The words that the owner's page always shows and a bystander's does not, without the email address.
    private let words: Set<String>

    /// Signs in the owner and a bystander.
    init(_ context: CheckContext) async throws(CheckError) {
        self.context = context
        owner = try await context.newPerson("owner")
        var visit = try await context.signIn(owner)
        let (page, again) = (try await visit.look(), try await visit.look())
        // The owner's pages are opened first: a growing value, such as the time, is on no later page.
        var other = try await context.signIn(try await context.newPerson("bystander"))
        let common = try await other.look().words.union(context.identityDetector.anonymous.words)
        let email = owner.email.lowercased()
        words = page.words.intersection(again.words).subtracting(common).filter {
            !$0.contains("@") && !email.contains($0.lowercased())
        }
        self.visit = visit
    }

    /// Delivers another user's response, and finds whether it opened the account.
    func finding(
        after other: inout Visit,
        _ answer: AppleAnswer,
        of person: CheckPerson
    ) async throws(CheckError) -> Finding {
        guard !words.isEmpty else {
            return .notExamined("the --signed-in page shows only the user's email address")
        }
        let reply = try await context.deliver(&other, answer)
        let page = try await other.look()
        if !page.words.isDisjoint(with: words) {
            return .fails("the other user's browser shows the victim's account")
        }
        if try await ownersPages().contains(where: { $0.text.contains(person.givenName) }) {
            return .fails("the victim's account now has the other user's name")
        }
        return context.identityDetector.who(page) == .anonymous
            ? try await context.refused(reply) : .holds("a separate account is opened")
    }

    /// The owner's page in the first browser, and in a new one.
    private func ownersPages() async throws(CheckError) -> [Snapshot] {
        var old = visit
        var new = try await context.signIn(owner)
        return [try await old.look(), try await new.look()]
    }
}
