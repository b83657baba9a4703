import Accounts
import Foundation
import NIOCore
import Testing

@testable import AccountsServer

@Suite("The cache of account documents")
struct AccountDocumentsTests {
    @Test("returns the account as it is now, and keeps no more than the limit")
    func bounded() throws {
        let documents = AccountDocuments(maximumCount: 3)
        var accounts = (0..<5).map { account(named: "Person \($0)") }
        for _ in 0..<2 {
            for index in accounts.indices {
                try expect(documents, accounts[index])
                // Twice: the first call writes the document, the second reads it from the cache.
                try expect(documents, accounts[index])
                accounts[index].name = AccountName("Renamed \(index)")
                try expect(documents, accounts[index])
                #expect(documents.kept.count <= 3)
            }
        }
        #expect(documents.kept.count == 3)
    }

    @Test("makes room for an account that is requested again")
    func secondMiss() throws {
        let documents = AccountDocuments(maximumCount: 3)
        let known = (0..<3).map { account(named: "Person \($0)") }
        for account in known { try expect(documents, account) }
        let rare = (0..<5).map { account(named: "Rare \($0)") }
        for account in rare { try expect(documents, account) }
        #expect(documents.kept == Set(known.map(\.id)))
        try expect(documents, rare[4])
        #expect(documents.kept == [known[1].id, known[2].id, rare[4].id])
    }

    private func account(named name: String) -> Account {
        let now = Date(timeIntervalSince1970: 1_700_000_000)
        return Account(id: .make(at: now), name: AccountName(name), createdAt: now)
    }

    private func expect(_ documents: AccountDocuments, _ account: Account) throws {
        let document = documents.document(of: account)
        let object = try JSONSerialization.jsonObject(with: Data(document.readableBytesView))
        let members = try #require(object as? [String: Any])
        #expect(members["id"] as? String == account.id.rawValue)
        #expect(members["name"] as? String == account.name?.text)
    }
}
