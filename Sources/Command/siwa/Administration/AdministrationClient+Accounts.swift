import Accounts
import AppleIdentity
import NIOHTTP1

extension AdministrationClient {
    /// Returns the id of the account with this id, username, email address or Apple identifier; lists several.
    ///
    /// A deletion without a question (`unasked`) needs an id or a username.
    func accountID(of text: String, unasked isUnasked: Bool = false) async throws -> String {
        // An id is not looked up, because the audit log also has entries about deleted accounts.
        guard text.wholeMatch(of: /[0-9a-f]{32}/) == nil else { return text }
        let answer = try await send(.GET, ["users"], query: ["named": text])
        let users = answer.objects("users")
        let match = answer["match"]?.stringValue.flatMap(NamedAccounts.Match.init(rawValue:))
        if users.count == 1, match != .nameStart, let id = users[0]["id"]?.stringValue {
            guard !isUnasked || match == .username else {
                throw CommandFailure.usage(
                    "--yes needs the account's id or username",
                    hint: "the id of this account is \(TerminalText.line(id))"
                )
            }
            return id
        }
        if !users.isEmpty {
            Terminal().writeError(table: UserText.header, users.map(UserText.row))
        }
        throw CommandFailure(
            match == .nameStart
                ? "no account has this id, username, email address or Apple identifier"
                : "\(users.count) accounts have this username, email address or Apple identifier",
            hint: users.isEmpty
                ? "siwa users list --search TEXT also finds accounts by a part of these"
                : "give the id of one of these accounts"
        )
    }
}
