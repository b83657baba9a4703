import Foundation

extension Date {
    /// The value of an HTTP `Date` field, such as `Wed, 21 Jan 2026 12:53:20 GMT`.
    ///
    /// Source: [RFC 9110, section 5.6.7](https://www.rfc-editor.org/rfc/rfc9110#section-5.6.7)
    package var httpText: String { formatted(Self.internetForm) + " GMT" }

    /// The value of a mail's `Date` field, such as `Wed, 21 Jan 2026 12:53:20 +0000`.
    ///
    /// Source: [RFC 5322, section 3.3](https://www.rfc-editor.org/rfc/rfc5322#section-3.3)
    package var mailText: String { formatted(Self.internetForm) + " +0000" }

    /// Reads the value of an HTTP `Date` field; nil for another spelling.
    package init?(httpText: String) {
        guard httpText.hasSuffix(" GMT"),
            let date = try? Self.internetForm.parseStrategy.parse(String(httpText.dropLast(4))),
            date.httpText == httpText
        else { return nil }
        self = date
    }

    private static let internetForm = Date.VerbatimFormatStyle(
        format: """
            \(weekday: .abbreviated), \(day: .twoDigits) \(month: .abbreviated) \(year: .padded(4)) \
            \(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased)):\
            \(minute: .twoDigits):\(second: .twoDigits)
            """,
        locale: Locale(identifier: "en_US_POSIX"),
        timeZone: .gmt,
        calendar: Calendar(identifier: .gregorian)
    )
}
