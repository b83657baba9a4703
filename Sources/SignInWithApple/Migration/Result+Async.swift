extension Result where Failure == any Error {
    /// What an asynchronous operation came to.
    init(catching body: () async throws -> Success) async {
        do {
            self = .success(try await body())
        } catch {
            self = .failure(error)
        }
    }
}
