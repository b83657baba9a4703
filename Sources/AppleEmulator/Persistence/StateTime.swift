import Foundation

/// Times in a document: ISO 8601 in UTC, to the millisecond.
enum StateTime {
    /// The text of a time; reading it and writing it again makes the same text.
    static func text(_ time: Date) -> String {
        // What is just below a millisecond only by the rounding of a binary fraction counts as it.
        let milliseconds = Int((time.timeIntervalSince1970 * 1_000 + 0.001).rounded(.down))
        let (seconds, rest) = milliseconds.quotientAndRemainder(dividingBy: 1_000)
        let whole = rest < 0 ? seconds - 1 : seconds
        let text = Date(timeIntervalSince1970: TimeInterval(whole)).formatted(.iso8601)
        guard rest != 0 else { return text }
        let digits = String(1_000 + (rest < 0 ? rest + 1_000 : rest)).dropFirst()
        return text.dropLast() + "." + digits + "Z"
    }

    /// The time that a text tells; nil when it tells none.
    static func time(_ text: String) -> Date? {
        // From the year 10000 on, a time has more.
        guard (20...24).contains(text.utf8.count) else { return nil }
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return try? Date(text, strategy: .iso8601) }
        guard let whole = try? Date(parts[0] + "Z", strategy: .iso8601),
            parts[1].count == 4, parts[1].hasSuffix("Z"),
            let milliseconds = UInt(parts[1].dropLast())
        else { return nil }
        return whole.addingTimeInterval(TimeInterval(milliseconds) / 1_000)
    }
}
