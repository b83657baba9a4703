/// Swift text as the rules want to see it: without comments and without the text of literals.
struct SwiftCode {
    private let bytes: [UInt8]
    private var index = 0
    private var output: [UInt8] = []

    private init(_ text: String) {
        bytes = Array(text.utf8)
        output.reserveCapacity(bytes.count)
    }

    /// Blanks comments and literals; line breaks and the code in interpolations stay.
    static func strip(_ text: String) -> String {
        var code = SwiftCode(text)
        while code.index < code.bytes.count { code.step() }
        return String(decoding: code.output, as: UTF8.self)
    }

    private mutating func step() {
        if isAt("//") {
            while index < bytes.count, bytes[index] != UInt8(ascii: "\n") { index += 1 }
        } else if isAt("/*") {
            skipBlockComment()
        } else if isAt("#/") {
            skipRegularExpression(end: "/#")
        } else if isAt("/") && beginsRegularExpression {
            skipRegularExpression(end: "/")
        } else if isAt("\"") || (isAt("#") && hashesLeadToQuote) {
            skipLiteral()
        } else {
            output.append(bytes[index])
            index += 1
        }
    }

    private mutating func skipBlockComment() {
        var depth = 0
        repeat {
            if isAt("/*") {
                depth += 1
                index += 2
            } else if isAt("*/") {
                depth -= 1
                index += 2
            } else {
                blank()
            }
        } while depth > 0 && index < bytes.count
    }

    private mutating func skipRegularExpression(end: String) {
        index += end.utf8.count
        while index < bytes.count, !isAt(end) {
            if isAt("\\") { blank() }
            blank()
        }
        index += end.utf8.count
    }

    /// A lone slash divides, unless it stands where a value begins and touches what follows.
    private var beginsRegularExpression: Bool {
        guard index > 0, index + 1 < bytes.count, bytes[index + 1] != UInt8(ascii: " ") else {
            return false
        }
        let blanks: [UInt8] = [UInt8(ascii: " "), UInt8(ascii: "\n")]
        let before = output.last { !blanks.contains($0) } ?? 0
        let isTouching = output.last == before
        guard "(,:=".utf8.contains(before), !(isTouching && before == UInt8(ascii: "=")) else {
            return false
        }
        let rest = bytes[(index + 1)...].prefix { $0 != UInt8(ascii: "\n") }
        return rest.contains(UInt8(ascii: "/"))
    }

    private mutating func skipLiteral() {
        var hashCount = 0
        while isAt("#") {
            hashCount += 1
            index += 1
        }
        let hashes = String(repeating: "#", count: hashCount)
        let quote = isAt("\"\"\"") ? "\"\"\"" : "\""
        index += quote.utf8.count
        output.append(UInt8(ascii: "\""))
        while index < bytes.count {
            if isAt(quote + hashes) {
                index += quote.utf8.count + hashCount
                break
            }
            if isAt("\\" + hashes + "(") {
                index += hashCount + 2
                copyInterpolation()
            } else if isAt("\\" + hashes) {
                index += hashCount + 1
                blank()
            } else {
                blank()
            }
        }
        output.append(UInt8(ascii: "\""))
    }

    private mutating func copyInterpolation() {
        var depth = 1
        while index < bytes.count {
            if isAt("(") { depth += 1 }
            if isAt(")") { depth -= 1 }
            if depth == 0 {
                index += 1
                return
            }
            step()
        }
    }

    /// Leaves nothing but line breaks, so that lines keep their numbers.
    private mutating func blank() {
        guard index < bytes.count else { return }
        if bytes[index] == UInt8(ascii: "\n") { output.append(bytes[index]) }
        index += 1
    }

    private var hashesLeadToQuote: Bool {
        var position = index
        while position < bytes.count, bytes[position] == UInt8(ascii: "#") { position += 1 }
        return position < bytes.count && bytes[position] == UInt8(ascii: "\"")
    }

    private func isAt(_ text: String) -> Bool {
        var position = index
        for byte in text.utf8 {
            guard position < bytes.count, bytes[position] == byte else { return false }
            position += 1
        }
        return true
    }
}
