/// Finds where functions, initializers, subscripts and computed properties begin and end.
struct FunctionFinder {
    struct Function: Equatable {
        let line: Int
        let lineCount: Int
    }

    private static let keywords = ["func", "init", "deinit", "subscript", "var"]
        .map { Array($0.utf8) }

    private let bytes: [UInt8]

    /// The functions of a text in Swift, outer and nested ones.
    static func functions(in text: String) -> [Function] {
        let finder = FunctionFinder(bytes: Array(SwiftCode.strip(text).utf8))
        var functions: [Function] = []
        var line = 1
        for index in finder.bytes.indices {
            if finder.bytes[index] == UInt8(ascii: "\n") { line += 1 }
            guard let end = finder.endOfFunction(at: index) else { continue }
            let breaks = finder.bytes[index..<end].count { $0 == UInt8(ascii: "\n") }
            functions.append(Function(line: line, lineCount: breaks + 1))
        }
        return functions
    }

    private func endOfFunction(at index: Int) -> Int? {
        guard let keyword = Self.keywords.first(where: { isKeyword($0, at: index) }),
            let start = startOfBody(after: index + keyword.count)
        else { return nil }
        return endOfBraces(from: start)
    }

    private func isKeyword(_ keyword: [UInt8], at index: Int) -> Bool {
        guard bytes[index...].starts(with: keyword) else { return false }
        let end = index + keyword.count
        let isWhole = end == bytes.count || !Self.isNamePart(bytes[end])
        guard index > 0 else { return isWhole }
        let before = bytes[index - 1]
        // `.init(…)` is a call, `` `var` `` a name.
        return isWhole && !Self.isNamePart(before) && before != UInt8(ascii: ".")
            && before != UInt8(ascii: "`")
    }

    /// The opening brace of the body; nil for a protocol's requirement or a stored property.
    private func startOfBody(after index: Int) -> Int? {
        var depth = 0
        var position = index
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: "("), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: ")"), UInt8(ascii: "]"): depth -= 1
            case UInt8(ascii: "{") where depth == 0: return position
            case UInt8(ascii: "}") where depth == 0: return nil
            case UInt8(ascii: "=") where depth == 0 && isAssignment(at: position): return nil
            case UInt8(ascii: "\n") where depth == 0 && !continues(after: position): return nil
            default: break
            }
            if depth < 0 { return nil }
            position += 1
        }
        return nil
    }

    /// `=` between blanks begins a value; `==` names an operator or a requirement.
    private func isAssignment(at index: Int) -> Bool {
        let neighbours = [bytes[index - 1], index + 1 < bytes.count ? bytes[index + 1] : 0]
        return neighbours.allSatisfy { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\n") }
    }

    /// Whether the declaration goes on below: its result, effects, requirements or body.
    private func continues(after index: Int) -> Bool {
        let rest = bytes[(index + 1)...].drop { $0 == UInt8(ascii: " ") }
        return ["{", "->", "where", "async", "throws"].contains { rest.starts(with: $0.utf8) }
    }

    private func endOfBraces(from start: Int) -> Int {
        var depth = 0
        for position in start..<bytes.count {
            if bytes[position] == UInt8(ascii: "{") { depth += 1 }
            if bytes[position] == UInt8(ascii: "}") { depth -= 1 }
            if depth == 0 { return position }
        }
        return bytes.count
    }

    private static func isNamePart(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "_") || byte >= 0x80
            || Character(UnicodeScalar(byte)).isLetter || Character(UnicodeScalar(byte)).isNumber
    }
}
