import Foundation
import HTMLPages

/// Times in words, in UTC: the script of a page replaces moments by those of the user's time zone.
extension PageText {
    /// "21 January 2026", in UTC.
    func day(_ date: Date) -> String { language.day(date, as: language.region) }

    /// "5 minutes ago".
    func ago(_ date: Date, now: Date) -> String {
        let minutes = Int(max(0, now.timeIntervalSince(date))) / 60
        return switch minutes {
        case ..<2: self["momentAgo"]
        case ..<60: text("minutesAgo", ["count": number(minutes)])
        case ..<120: self["hourAgo"]
        case ..<(48 * 60): text("hoursAgo", ["count": number(minutes / 60)])
        default: text("daysAgo", ["count": number(minutes / (24 * 60))])
        }
    }

    /// "one minute", to follow the word "in"; rounded up, because an earlier attempt would fail.
    func duration(_ seconds: Int) -> String {
        let minutes = (max(1, seconds) + 59) / 60
        return switch seconds {
        case ...1: self["oneSecond"]
        case ..<60: text("seconds", ["count": number(seconds)])
        case 60: self["oneMinute"]
        case ...3_540: text("minutes", ["count": number(minutes)])
        case ...3_600: self["oneHour"]
        default: text("hours", ["count": number((minutes + 59) / 60)])
        }
    }

    /// "1,000" or "1.000".
    func number(_ number: Int) -> String {
        number.formatted(.number.locale(Locale(identifier: language.region)))
    }
}
