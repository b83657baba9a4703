import Accounts
import AppleIdentity
import NIOHTTP1

extension AdministrationClient {
    /// Returns the id of the account with this id, email address, username or name.
    func accountID(of text: String) async throws -> String {
        // An id is not looked up, because the audit log also has entries about deleted accounts.
        guard text.wholeMatch(of: /[0-9a-f]{32}/) == nil else { return text }
        let query = ["search": text, "limit": "\(AccountQuery.maximumCount)"]
        let answer = try await send(.GET, ["users"], query: query)
        let names = ["id", "email", "username", "name"]
        let ids = answer.objects("users")
            .filter { user in
                names.contains { user[$0]?.stringValue?.lowercased() == text.lowercased() }
            }
            .compactMap { $0["id"]?.stringValue }
        guard let first = ids.first else {
            throw CommandFailure(
                "there is no account with this id, email address, username or name",
                hint: "siwa users list --search TEXT also finds accounts by a part of these"
            )
        }
        guard ids.count == 1 else {
            throw CommandFailure(
                "\(ids.count) accounts have this email address, username or name",
                hint: "give the id of one of them: \(ids.joined(separator: ", "))"
            )
        }
        return first
    }
}
