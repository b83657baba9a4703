/// The trace and the span of a request, as in the field `traceparent`.
///
/// Source: [Trace Context, section 3.2](https://www.w3.org/TR/trace-context/#traceparent-header)
package struct TraceParent: Hashable, Sendable {
    /// The trace: 16 bytes, not all zero.
    package struct TraceID: Hashable, Sendable {
        let high: UInt64
        let low: UInt64
    }

    /// The trace that all spans of one request share.
    package let traceID: TraceID
    /// The span, not zero.
    package let spanID: UInt64
    /// Whether the caller records the trace; the other flags are not defined yet.
    package let isSampled: Bool

    init(traceID: TraceID, spanID: UInt64, isSampled: Bool) {
        self.traceID = traceID
        self.spanID = spanID
        self.isSampled = isSampled
    }

    /// Begins a trace.
    init(using generator: inout some RandomNumberGenerator) {
        self.init(
            // One bit is always set, so neither is zero.
            traceID: TraceID(high: generator.next(), low: generator.next() | 1),
            spanID: generator.next() | 1,
            isSampled: false
        )
    }

    /// Another span of the same trace.
    func child(using generator: inout some RandomNumberGenerator) -> TraceParent {
        TraceParent(traceID: traceID, spanID: generator.next() | 1, isSampled: isSampled)
    }

    /// Reads the field strictly; nil if it is invalid.
    ///
    /// Section 3.2.2: a later version may have more after another dash, and the part before it is read.
    package init?(_ text: String) {
        let bytes = Array(text.utf8.prefix(Self.byteCount + 1))
        guard bytes.count >= Self.byteCount,
            let version = Self.number(bytes[0..<2]), version != 0xff,
            bytes.count == Self.byteCount || version != 0 && bytes[Self.byteCount] == Self.dash,
            [2, 35, 52].allSatisfy({ bytes[$0] == Self.dash }),
            let high = Self.number(bytes[3..<19]), let low = Self.number(bytes[19..<35]),
            let spanID = Self.number(bytes[36..<52]), let flags = Self.number(bytes[53..<55]),
            high | low != 0, spanID != 0
        else { return nil }
        self.init(
            traceID: TraceID(high: high, low: low),
            spanID: spanID,
            isSampled: flags & Self.sampledFlag != 0
        )
    }

    /// The field's value, in the version 00.
    package var text: String { "00-\(traceID)-\(Self.digits(spanID))-\(isSampled ? "01" : "00")" }

    package var spanText: String { Self.digits(spanID) }

    private static let byteCount = 55
    private static let dash = UInt8(ascii: "-")
    private static let sampledFlag: UInt64 = 1

    /// A number in lower-case hexadecimal digits; upper-case ones are not allowed.
    private static func number(_ digits: ArraySlice<UInt8>) -> UInt64? {
        var number: UInt64 = 0
        for digit in digits {
            switch digit {
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                number = number << 4 | UInt64(digit - UInt8(ascii: "0"))
            case UInt8(ascii: "a")...UInt8(ascii: "f"):
                number = number << 4 | UInt64(digit - UInt8(ascii: "a") + 10)
            default: return nil
            }
        }
        return number
    }

    fileprivate static func digits(_ number: UInt64) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 16 - digits.utf8.count) + digits
    }
}

extension TraceParent.TraceID: CustomStringConvertible {
    /// The trace in hexadecimal.
    package var description: String { TraceParent.digits(high) + TraceParent.digits(low) }
}
