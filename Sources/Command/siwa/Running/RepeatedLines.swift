/// Lines of which equal ones in a row are written once, and counted when another line follows.
struct RepeatedLines: Sendable {
    private var last: String?
    private var count = 0

    /// Adds a line.
    ///
    /// - Parameter line: the line, without its time.
    /// - Returns: the lines to write now: none for a repeated line.
    mutating func add(_ line: String) -> [String] {
        guard line != last else {
            count += 1
            return []
        }
        let summary = end()
        (last, count) = (line, 1)
        return summary + [line]
    }

    /// Returns the count of the last line, if it was repeated.
    mutating func end() -> [String] {
        defer { (last, count) = (nil, 0) }
        return count > 1 ? ["… \(count) times"] : []
    }
}
