import Accounts
import Testing

@testable import AccountsPostgreSQL

@Suite("Questions of many calls")
struct SharedQuestionTests {
    @Test("ask what differs in its values alone by one statement, and give each its own rows")
    func answers() async throws {
        var question = Question()
        let counts: [Int64] = [2, 0, 3]
        var lists: [Fact<[String]>] = []
        var lone: [Fact<Int?>] = []
        for count in counts {
            lists.append(
                question.list(
                    "SELECT n || $2, n FROM generate_series(1, $1::bigint) AS n",
                    [.integer(count), .text(count == 3 ? nil : "!")]
                ) { row throws(AccountStoreError) in
                    "\(try row.optionalText(0) ?? "nothing") \(try row.integer(1))"
                }
            )
            lone.append(
                question.first("SELECT \(count)::bigint WHERE $1", [.boolean(true)]) {
                    row throws(AccountStoreError) in try row.count(0)
                }
            )
        }
        let shared = SharedQuestion(question)
        #expect(shared.statements.count == 4)
        let answers = try shared.answers(Answers(rows: await Self.ask(shared.statements)))
        #expect(try answers[lists[0]].sorted() == ["1! 1", "2! 2"])
        #expect(try answers[lists[1]].isEmpty)
        #expect(try answers[lists[2]].sorted() == ["nothing 1", "nothing 2", "nothing 3"])
        for (fact, count) in zip(lone, counts) { #expect(try answers[fact] == Int(count)) }
    }

    @Test("leave alone what has no values, or a list of them")
    func unshared() {
        var question = Question()
        for _ in 0..<2 {
            _ = question.exists("accounts", [])
            _ = question.exists("accounts WHERE id = ANY ($1)", [.array([.text("a")], .text)])
        }
        #expect(SharedQuestion(question).statements == question.statements)
    }

    @Test("refuse a row that is nobody's", arguments: [0, 3])
    func unknownRow(position: Int) async throws {
        let statement = Statement("SELECT $1::bigint, true", [.count(position)])
        let rows = try await Self.ask([statement])
        let error = #expect(throws: AccountStoreError.self) { try rows[0].parts(2) }
        #expect(error?.kind == .failed)
        #expect(error?.hint == "PostgreSQL: a row belongs to nobody who asked")
    }

    private static func ask(_ statements: [Statement]) async throws -> [Rows] {
        try await TestCluster.withStore { store in
            try await store.pool.exchange(statements).get()
        }
    }
}
