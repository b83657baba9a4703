import AppleIdentity
import Foundation
import Testing

@testable import Accounts
@testable import AccountsSQL

@Suite("The columns of an account") struct AccountColumnTests {
    private static let account: Account = {
        var account = Account(id: "maya", createdAt: Date(timeIntervalSince1970: 0))
        account.apple = AppleLink(
            person: ApplePerson(issuer: "apple", user: "maya"),
            clientID: "app",
            linkedAt: account.createdAt,
            consentedAt: account.createdAt,
            hasRefreshToken: false
        )
        return account
    }()

    @Test("are written by every insertion", arguments: [0, 1])
    func inserted(index: Int) throws {
        let table = StoreTable.all[index]
        let statement = Self.account.insertion[index]
        let list = try #require(statement.sql.firstMatch(of: /INSERT INTO (\w+) \(([^)]*)\)/))
        #expect(list.1 == table.name)
        let names = list.2.split(separator: ", ").map(String.init)
        #expect(Set(names) == Set(table.columns.map(\.name)))
        #expect(statement.values.count == names.count)
    }

    @Test("are written by an update, except for the key")
    func updated() {
        let statement = Self.account.update[0]
        for column in StoreTable.all[0].values {
            #expect(statement.sql.contains("\(column.name) = $"), "\(column.name)")
        }
        #expect(statement.sql.hasSuffix("WHERE id = $\(statement.values.count)"))
    }

    @Test("are all read, except for derived ones")
    func read() {
        let read = AccountRow.columns.split(separator: ",")
            .map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }
        var stored = Set(StoreTable.all[0].columns.map { "accounts.\($0.name)" })
        stored.formUnion(StoreTable.all[1].columns.map { "apple_identities.\($0.name)" })
        stored.subtract(["accounts.email_key", "apple_identities.account_id"])
        #expect(Set(read) == stored)
    }
}
