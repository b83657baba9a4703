import Accounts
import AppleIdentity
import TestSupport
import Testing

extension AccountsWorld {
    /// Signs somebody in, and deletes their account.
    func deleteSomebody(email: String = "maya@example.com") async throws {
        let service = service()
        let receipt = try await service.signIn(nativeRequest(for: email))
        try await service.deleteAccount(receipt.session)
    }

    /// Runs a worker as a service does, until it has nothing to do and waits.
    func runUntilIdle(_ worker: OutboxWorker) async throws {
        let running = Task { try await worker.run() }
        try await waitUntilIdle()
        running.cancel()
        try await running.value
    }

    /// Waits until a worker has nothing left to do, of any kind unless told otherwise.
    func waitUntilIdle(count: Int = OutboxTask.Kind.allCases.count) async throws {
        try await waitUntil { time.sleeperCount >= count }
    }
}
