import Testing

/// Lets other tasks run until something holds.
func waitUntil(
    _ what: Comment,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ holds: () -> Bool
) async {
    for _ in 0..<1_000_000 {
        if holds() { return }
        await Task.yield()
    }
    Issue.record(what, sourceLocation: sourceLocation)
}
