/// The positions of a mail's parts, found in one pass over its bytes.
struct MailParts {
    /// The maximum number of lines with two leading hyphens; parts after them are not found.
    static let maximumHyphenLineCount = 20_000
    /// The maximum size of a boundary, in bytes: RFC 2046, section 5.1.1.
    static let maximumBoundaryByteCount = 70

    private let bytes: [UInt8]
    /// The lines that may begin a part, without their line ends.
    private let hyphenLines: [Range<Int>]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        hyphenLines = Self.hyphenLines(of: bytes)
    }

    private static func hyphenLines(of bytes: [UInt8]) -> [Range<Int>] {
        let hyphen = UInt8(ascii: "-")
        var lines: [Range<Int>] = []
        var start = 0
        for (index, byte) in bytes.enumerated() where byte == 0x0A {
            if index - start >= 2, bytes[start] == hyphen, bytes[start + 1] == hyphen {
                lines.append(start..<index)
                if lines.count == maximumHyphenLineCount { return lines }
            }
            start = index + 1
        }
        if bytes.count - start >= 2, bytes[start] == hyphen, bytes[start + 1] == hyphen {
            lines.append(start..<bytes.count)
        }
        return lines
    }

    /// The parts within a part.
    ///
    /// RFC 2046, section 5.1.1: they begin after a line of two hyphens and the boundary; the line end
    /// before such a line belongs to it. https://www.rfc-editor.org/rfc/rfc2046#section-5.1.1
    func parts(of body: Range<Int>, boundary: String, maximumCount: Int) -> [Range<Int>] {
        guard !boundary.isEmpty, boundary.utf8.count <= Self.maximumBoundaryByteCount else {
            return []
        }
        let mark = Array("--\(boundary)".utf8)
        var parts: [Range<Int>] = []
        var start: Int?
        for line in hyphenLines where line.lowerBound >= body.lowerBound {
            guard line.lowerBound < body.upperBound, parts.count < maximumCount else { break }
            let text = bytes[line.clamped(to: body)]
            guard text.starts(with: mark), let isLast = Self.isLast(text.dropFirst(mark.count))
            else { continue }
            if let start { parts.append(start..<withoutLineEnd(start, line.lowerBound)) }
            start = isLast ? nil : min(line.upperBound + 1, body.upperBound)
            if isLast { return parts }
        }
        if let start, parts.count < maximumCount { parts.append(start..<body.upperBound) }
        return parts
    }

    /// Whether the boundary is the last one, followed by hyphens; nil for another line.
    private static func isLast(_ rest: ArraySlice<UInt8>) -> Bool? {
        let isLast = rest.starts(with: Array("--".utf8))
        let end = isLast ? rest.dropFirst(2) : rest
        return end.allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D } ? isLast : nil
    }

    private func withoutLineEnd(_ start: Int, _ end: Int) -> Int {
        var end = end
        if end > start, bytes[end - 1] == 0x0A { end -= 1 }
        if end > start, bytes[end - 1] == 0x0D { end -= 1 }
        return end
    }
}
