import AppleIdentity
import Foundation

struct EmulatorClock {
    /// The maximum offset of the clock in seconds: a hundred years.
    static let maximumOffsetSeconds: Double = 100 * 365.25 * 86_400

    let source: TimeSource

    init(source: TimeSource) { self.source = source }

    private(set) var offset: TimeInterval = 0
    private var shownSecond = Int.min
    private var shownText = ""

    var now: Date { source.now.addingTimeInterval(offset) }

    /// The value of the `Date` field at a time, formatted once for each second.
    mutating func dateText(at time: Date) -> String {
        let second = Int(time.timeIntervalSince1970.rounded(.down))
        if second != shownSecond { (shownSecond, shownText) = (second, time.httpText) }
        return shownText
    }

    mutating func move(_ object: JSONObject) throws(ControlRefusal) {
        let fields = try FieldReader(object, known: ["advance_seconds", "now"])
        let advance = fields.value("advance_seconds")
        let target = fields.value("now")
        switch (advance, target) {
        case (let advance?, nil):
            guard let seconds = advance.numberValue else {
                throw .wrong("advance_seconds", "must be a number of seconds")
            }
            try move(to: offset + seconds, field: "advance_seconds")
        case (nil, let target?):
            guard let date = Self.date(target) else {
                throw .wrong(
                    "now",
                    "must be a time such as 2026-01-31T12:00:00Z, or seconds since 1970"
                )
            }
            try move(to: date.timeIntervalSince(source.now), field: "now")
        case (.some, .some): throw .wrong("now", "can't be combined with advance_seconds")
        case (nil, nil): throw .wrong("advance_seconds", "or now is required")
        }
    }

    mutating func move(to offset: TimeInterval, field: String) throws(ControlRefusal) {
        guard abs(offset) <= Self.maximumOffsetSeconds else {
            throw .wrong(field, "would move the clock by more than a hundred years")
        }
        self.offset = offset
    }

    private static func date(_ value: JSONValue) -> Date? {
        if let seconds = value.numberValue { return Date(timeIntervalSince1970: seconds) }
        guard let text = value.stringValue else { return nil }
        let date =
            (try? Date(text, strategy: .iso8601))
            ?? (try? Date(text, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true)))
        return isInCalendar(text) ? date : nil
    }

    /// Whether the day and the time exist; parsing accepts 31 April as 1 May, and 12:99 as 13:39.
    private static func isInCalendar(_ text: String) -> Bool {
        let numbers = text.prefix(19).split { !$0.isNumber }.compactMap { Int($0) }
        guard numbers.count == 6, numbers[3] < 24, numbers[4...].allSatisfy({ $0 < 60 }) else {
            return false
        }
        let day = DateComponents(
            calendar: Calendar(identifier: .gregorian),
            year: numbers[0],
            month: numbers[1],
            day: numbers[2]
        )
        return day.isValidDate
    }
}
