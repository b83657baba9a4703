extension Task where Failure == Never {
    /// The value of a task that serves many, or `CancellationError` once the one who waits is
    /// cancelled; this task goes on for the others.
    func valueUnlessCancelled() async throws -> Success {
        let (values, continuation) = AsyncStream.makeStream(of: Success.self)
        Task<Void, Never> {
            continuation.yield(await value)
            continuation.finish()
        }
        for await value in values { return value }
        throw _Concurrency.CancellationError()
    }
}
