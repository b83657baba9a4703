/// Lets other tasks run until something holds, or the suite's time limit ends the test.
func waitUntil(_ holds: () async throws -> Bool) async throws {
    while try await !holds() {
        try Task.checkCancellation()
        await Task.yield()
    }
}
