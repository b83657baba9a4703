import Foundation

extension Date {
    private static let microsecondsPerSecond = 1_000_000.0

    /// Whole microseconds since 1970, the precision of every store.
    ///
    /// A time from outside may be any number: one that 64 bits can't hold is the nearest that they can.
    package var microseconds: Int64 {
        let value = (timeIntervalSince1970 * Self.microsecondsPerSecond).rounded()
        return Int64(exactly: value) ?? (value > 0 ? .max : .min)
    }

    /// A time that a store kept.
    package init(microseconds: Int64) {
        self.init(timeIntervalSince1970: Double(microseconds) / Self.microsecondsPerSecond)
    }

    /// The same time as a store gives it back, so that what was kept equals what was meant.
    package var inWholeMicroseconds: Date { Date(microseconds: microseconds) }
}
