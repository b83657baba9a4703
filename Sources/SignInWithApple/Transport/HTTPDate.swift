import Foundation

/// The time in a `Date` field.
///
/// Source: [RFC 9110, section 5.6.7](https://www.rfc-editor.org/rfc/rfc9110#section-5.6.7)
package enum HTTPDate {
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// Reads the form that senders must write, as in `Sun, 06 Nov 1994 08:49:37 GMT`.
    package static func parse(_ text: String?) -> Date? {
        let form = /[A-Z][a-z]{2}, (\d\d) ([A-Z][a-z]{2}) (\d{4}) (\d\d):(\d\d):(\d\d) GMT/
        guard let parts = text?.wholeMatch(of: form)?.output,
            let month = months.firstIndex(of: String(parts.2))
        else { return nil }
        var components = DateComponents()
        components.year = Int(parts.3)
        components.month = month + 1
        components.day = Int(parts.1)
        components.hour = Int(parts.4)
        components.minute = Int(parts.5)
        components.second = Int(parts.6)
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        return calendar.date(from: components)
    }
}
