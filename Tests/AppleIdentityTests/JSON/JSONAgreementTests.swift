import AppleIdentity
import Foundation
import Testing

/// Everything that is read, Foundation reads in the same way.
@Suite("JSON, compared with Foundation") struct JSONAgreementTests {
    @Test("Thousands of generated texts, some of them broken", arguments: 0..<8 as Range<UInt64>)
    func generated(seed: UInt64) {
        var generator = TextGenerator(seed: seed)
        var (readCount, refusedCount) = (0, 0)
        for _ in 0..<2_000 {
            let text = generator.next()
            guard let value = try? JSONValue(parsing: text) else {
                refusedCount += 1
                continue
            }
            readCount += 1
            expectAgreement(value, text)
        }
        // A reader that refused or took everything would agree as well.
        #expect(readCount > 300 && refusedCount > 300)
    }

    private func expectAgreement(_ value: JSONValue, _ text: Data) {
        let words = String(decoding: text, as: UTF8.self)
        let other = try? JSONSerialization.jsonObject(with: text, options: .fragmentsAllowed)
        #expect(other.map { Self.isSame(value, $0) } == true, "\(words)")
        #expect((try? JSONValue(parsing: value.data)) == value, "\(words)")
    }

    private static func isSame(_ value: JSONValue, _ other: Any) -> Bool {
        switch value {
        case .null: return other is NSNull
        case .boolean(let boolean): return (other as? NSNumber)?.boolValue == boolean
        case .integer(let integer):
            guard let other = other as? NSNumber else { return false }
            // With a fraction or an exponent it is a `Double` to Foundation.
            return other.int64Value == Int64(integer) || isSame(Double(integer), other.doubleValue)
        case .number(let number):
            return (other as? NSNumber).map { isSame(number, $0.doubleValue) } ?? false
        case .string(let text):
            return (other as? String)?.utf8.elementsEqual(text.utf8) ?? false
        case .array(let values):
            guard let others = other as? [Any], others.count == values.count else { return false }
            return zip(values, others).allSatisfy { isSame($0, $1) }
        case .object(let object):
            guard let others = other as? [String: Any], others.count == object.members.count else {
                return false
            }
            return object.members.allSatisfy { member in
                others[member.name].map { isSame(member.value, $0) } ?? false
            }
        }
    }

    /// Foundation rounds once for each power of ten.
    private static func isSame(_ left: Double, _ right: Double) -> Bool {
        abs(left - right) <= abs(left) * 1e-12
    }
}

/// Creates JSON texts, every other of them broken, the same with the same seed.
private struct TextGenerator {
    private static let scalars = [
        "null", "true", "false", "0", "-0", "7", "-12", "1.5", "-2.5e-3", "1E2",
        "123456789012345678",
        "9223372036854775807", "-9223372036854775808", "9223372036854775808", "1e300", "0.1e-5",
        #""""#, #""a""#, #""text of more than sixteen bytes""#, #""é😀""#, #""\u00e9\ud83d\ude00""#,
        #""\"\\\/\b\f\n\r\t\u0000""#, "\"\u{7F}\"", #""\u0061""#,
    ]
    private static let names = [
        "a", "b", "c", "sub", "name", "é", "", #"\u0061"#, #"\n"#, "is_private_email",
    ]
    private static let bytes =
        Array("{}[]\":,\\/eE+-.0123456789tfnulras \n\u{0}\u{1F}".utf8) + [0xFF, 0xC3, 0xA9]

    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> Data {
        var text = Array((space() + value(depth: 0) + space()).utf8)
        if number(below: 2) == 0 { damage(&text) }
        return Data(text)
    }

    private mutating func number(below count: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int(state >> 33) % count
    }

    private mutating func space() -> String { ["", "", " ", "\n\t"][number(below: 4)] }

    private mutating func value(depth: Int) -> String {
        let kind = depth < 4 ? number(below: 4) : 0
        guard kind > 1 else { return Self.scalars[number(below: Self.scalars.count)] }
        let parts = (0..<number(below: 4)).map { _ in
            let element = space() + value(depth: depth + 1) + space()
            guard kind == 2 else { return element }
            return space()
                + "\"\(Self.names[number(below: Self.names.count)])\"\(space()):\(element)"
        }
        let content = parts.joined(separator: ",")
        return kind == 2 ? "{\(content)}" : "[\(content)]"
    }

    private mutating func damage(_ text: inout [UInt8]) {
        let index = number(below: text.count)
        let byte = Self.bytes[number(below: Self.bytes.count)]
        switch number(below: 3) {
        case 0: text[index] = byte
        case 1: text.insert(byte, at: index)
        default: text.remove(at: index)
        }
    }
}
