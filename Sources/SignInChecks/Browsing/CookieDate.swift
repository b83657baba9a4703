import Foundation

/// The time of a cookie's `Expires`, in whatever order a server writes its parts.
///
/// Source: [RFC 6265bis, section 5.1.1](https://www.ietf.org/archive/id/draft-ietf-httpbis-rfc6265bis-22.html)
enum CookieDate {
    private static let months = [
        "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ]

    /// Reads a time; nil when a part is missing or none is.
    static func read(_ text: String) -> Date? {
        var parts = DateComponents(timeZone: .gmt)
        for word in text.lowercased().split(whereSeparator: { !isPart($0) }) {
            take(word, &parts)
        }
        guard parts.hour != nil, parts.day != nil, parts.month != nil, let year = parts.year,
            year >= 1601
        else { return nil }
        return Calendar(identifier: .gregorian).date(from: parts)
    }

    private static func isPart(_ character: Character) -> Bool {
        character.isASCII && (character.isLetter || character.isNumber || character == ":")
    }

    /// Takes a word for the first part that it can be and that is still missing.
    private static func take(_ word: Substring, _ parts: inout DateComponents) {
        if parts.hour == nil,
            let time = word.prefixMatch(of: /([0-9]{1,2}):([0-9]{1,2}):([0-9]{1,2})/)
        {
            (parts.hour, parts.minute, parts.second) = (Int(time.1), Int(time.2), Int(time.3))
        } else if parts.day == nil, word.wholeMatch(of: /[0-9]{1,2}/) != nil {
            parts.day = Int(word)
        } else if parts.month == nil, let month = months.firstIndex(of: String(word.prefix(3))) {
            parts.month = month + 1
        } else if parts.year == nil, word.wholeMatch(of: /[0-9]{2}|[0-9]{4}/) != nil {
            parts.year = Int(word).map(fullYear)
        }
    }

    private static func fullYear(_ year: Int) -> Int {
        switch year {
        case 0..<70: year + 2000
        case 70..<100: year + 1900
        default: year
        }
    }
}
