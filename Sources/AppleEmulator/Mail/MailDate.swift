import Foundation

/// Times as mail spells them.
enum MailDate {
    /// RFC 5322, section 3.3: `Fri, 21 Nov 1997 09:55:06 +0000`.
    /// https://www.rfc-editor.org/rfc/rfc5322#section-3.3
    static func text(_ date: Date) -> String {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        let parts = calendar.dateComponents(
            [.weekday, .day, .month, .year, .hour, .minute, .second],
            from: date
        )
        let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
        let months = [
            "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
        ]
        let weekday = weekdays[max(parts.weekday ?? 1, 1) - 1]
        let month = months[max(parts.month ?? 1, 1) - 1]
        let clock = [parts.hour, parts.minute, parts.second].map { twoDigits($0 ?? 0) }
            .joined(separator: ":")
        return "\(weekday), \(twoDigits(parts.day ?? 1)) \(month) \(parts.year ?? 0) \(clock) +0000"
    }

    private static func twoDigits(_ number: Int) -> String {
        (number < 10 ? "0" : "") + "\(number)"
    }
}
