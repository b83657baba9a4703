extension Duration {
    /// As `Retry-After` and the claims of tokens count: in whole seconds, begun ones in full.
    package var wholeSeconds: Int {
        let (seconds, attoseconds) = components
        return Int(clamping: seconds) + (attoseconds > 0 ? 1 : 0)
    }
}
