import Foundation

extension Date {
    private static let microsecondsPerSecond = 1_000_000.0

    /// Whole microseconds since 1970, the precision of every store.
    ///
    /// A time from outside may be any number; one that does not fit in 64 bits becomes the nearest that does.
    package var microseconds: Int64 {
        let value = (timeIntervalSince1970 * Self.microsecondsPerSecond).rounded()
        return Int64(exactly: value) ?? (value > 0 ? .max : .min)
    }

    /// Restores a time from a store.
    package init(microseconds: Int64) {
        self.init(timeIntervalSince1970: Double(microseconds) / Self.microsecondsPerSecond)
    }

    /// The time as a store returns it, which makes stored values equal to their originals.
    package var inWholeMicroseconds: Date { Date(microseconds: microseconds) }
}
