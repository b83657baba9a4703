import AppleIdentity
import Foundation

/// Compares what the library reads with what Foundation's other parser reads.
enum FoundationJSON {
    static func parse(_ text: Data) -> Any? {
        try? JSONSerialization.jsonObject(with: text, options: .fragmentsAllowed)
    }

    static func isSame(_ value: JSONValue, _ other: Any) -> Bool {
        switch value {
        case .null: other is NSNull
        case .boolean(let boolean): (other as? NSNumber)?.boolValue == boolean
        case .integer(let integer): (other as? NSNumber).map { isSame(integer, $0) } ?? false
        case .number(let number): (other as? NSNumber).map { isSame(number, $0) } ?? false
        case .string(let text): (other as? String).map { isSame(text, $0) } ?? false
        case .array(let values):
            (other as? [Any]).map { others in
                others.count == values.count && zip(values, others).allSatisfy { isSame($0, $1) }
            } ?? false
        case .object(let object):
            (other as? [String: Any]).map { others in
                others.count == object.members.count
                    && object.members.allSatisfy { member in
                        others[member.name].map { isSame(member.value, $0) } ?? false
                    }
            } ?? false
        }
    }

    private static func isSame(_ text: String, _ other: String) -> Bool {
        text.utf8.elementsEqual(other.utf8)
    }

    /// Foundation reads a number with an exponent as one with a fraction, which may round it.
    private static func isSame(_ number: Int, _ other: NSNumber) -> Bool {
        other.int64Value == Int64(number) || isSame(Double(number), other)
    }

    /// Foundation reads many digits as a decimal number first, and rounds once for each power of ten.
    private static func isSame(_ number: Double, _ other: NSNumber) -> Bool {
        abs(number - other.doubleValue) <= abs(number) * 1e-12 || number == other.doubleValue
    }
}
