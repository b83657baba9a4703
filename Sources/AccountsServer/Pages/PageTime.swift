import Foundation

/// Times as people say them; without a script a page knows nobody's time zone.
enum PageTime {
    /// "21 January 2026", by the calendar of UTC.
    static func day(_ date: Date) -> String {
        date.formatted(
            Date.FormatStyle(
                date: .long,
                time: .omitted,
                locale: Locale(identifier: "en_GB"),
                timeZone: .gmt
            )
        )
    }

    /// "5 minutes ago".
    static func ago(_ date: Date, now: Date) -> String {
        let minutes = Int(max(0, now.timeIntervalSince(date))) / 60
        return switch minutes {
        case ..<2: "A moment ago"
        case ..<60: "\(minutes) minutes ago"
        case ..<120: "An hour ago"
        case ..<(48 * 60): "\(minutes / 60) hours ago"
        default: "\(minutes / (24 * 60)) days ago"
        }
    }
}
