import Foundation

/// Writes times that may come from a token.
enum DateText {
    /// The times that have a usual form, in seconds since 1970: up to the year 9999.
    private static let usualSeconds = 0.0..<253_402_300_800

    static func text(_ date: Date) -> String {
        let seconds = date.timeIntervalSince1970
        guard usualSeconds.contains(seconds) else { return "\(seconds) seconds after 1970" }
        return date.formatted(.iso8601)
    }

    /// A number of whole seconds, of whatever size.
    static func seconds(_ interval: TimeInterval) -> String {
        Int(exactly: interval.rounded(.towardZero)).map(String.init) ?? "\(interval)"
    }
}
