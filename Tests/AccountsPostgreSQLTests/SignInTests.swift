import AccountStoreConformance
import Accounts
import AppleIdentity
import ServerTestSupport
import Testing

@testable import AccountsPostgreSQL

@Suite("First sign-ins on PostgreSQL", .timeLimit(.minutes(1)))
struct SignInTests {
    @Test("work when many people come at once to an empty database")
    func firstOnesAtOnce() async throws {
        let log = LogRecorder()
        try await TestCluster.withStore(logger: log.logger) { store in
            let outcomes = try await AccountStoreConformance.atOnce(32) { number in
                var sample = SampleSignIn()
                sample.user = UserID("person.\(number)")
                sample.newAccountID = .make(at: SampleSignIn.start, .random)
                sample.refreshToken = "token \(number)"
                sample.audit = AuditContext(actor: .person, now: SampleSignIn.start)
                return try await store.signIn(sample)
            }
            #expect(outcomes.count { $0.isNewAccount } == 32)
            #expect(Set(outcomes.map { $0.signedIn.account.id }).count == 32)
            // Each entry of the audit log has one line, however often its transaction began.
            let entries = try await store.auditEntries(AuditQuery())
            let lines = log.text.split(separator: "\n").filter { $0.hasPrefix("info audit ") }
            #expect(entries.count == 32)
            #expect(lines.count == 32)
            for entry in entries {
                #expect(lines.count { $0.contains(entry.id.rawValue) } == 1)
            }
        }
    }
}
