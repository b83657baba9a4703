import Foundation

/// The account of somebody with an address that another person will have, too.
///
/// A server that finds accounts by the address may give the account the other person's name, so
/// both sides are looked at. The account is a new one: the victim's stays as it is.
struct OwnAccount {
    let owner: CheckPerson
    private let context: CheckContext
    private let visit: Visit
    /// What the owner's page shows each time, and a bystander's does not, besides the address.
    private let words: Set<String>

    /// Signs the owner in, and a bystander.
    init(_ context: CheckContext) async throws(CheckError) {
        self.context = context
        owner = try await context.newPerson("owner")
        var visit = try await context.signIn(owner)
        let (page, again) = (try await visit.look(), try await visit.look())
        // Whatever only grows, such as the time, stands on this page before it stands on a later one.
        var other = try await context.signIn(try await context.newPerson("bystander"))
        let common = try await other.look().words.union(context.identityDetector.anonymous.words)
        let email = owner.email.lowercased()
        words = page.words.intersection(again.words).subtracting(common).filter {
            !$0.contains("@") && !email.contains($0.lowercased())
        }
        self.visit = visit
    }

    /// Delivers another person's answer, and tells whether it opened the account.
    func finding(
        after other: inout Visit,
        _ answer: AppleAnswer,
        of person: CheckPerson
    ) async throws(CheckError) -> Finding {
        guard !words.isEmpty else {
            return .notExamined("the page of --signed-in shows nothing of a person but the address")
        }
        let reply = try await context.deliver(&other, answer)
        let page = try await other.look()
        if !page.words.isDisjoint(with: words) {
            return .fails("the other person's browser shows the victim's account")
        }
        if try await ownersPages().contains(where: { $0.text.contains(person.givenName) }) {
            return .fails("the victim's account now has the other person's name")
        }
        return context.identityDetector.who(page) == .nobody
            ? try await context.refused(reply) : .holds("an account of its own is opened")
    }

    /// The owner's page in the browser from before, and in a new one.
    private func ownersPages() async throws(CheckError) -> [Snapshot] {
        var old = visit
        var new = try await context.signIn(owner)
        return [try await old.look(), try await new.look()]
    }
}
