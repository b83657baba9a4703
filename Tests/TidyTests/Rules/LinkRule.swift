import Foundation

/// Relative links of Markdown files must lead to a file, and to a heading where they name one.
struct LinkRule {
    let exists: (String) -> Bool
    let text: (String) -> String?

    func violations(in file: SourceFile) -> [Violation] {
        links(of: file).compactMap { line, link in
            guard let message = fault(of: link, in: file) else { return nil }
            return Violation(path: file.path, line: line, message: message)
        }
    }

    private func fault(of link: String, in file: SourceFile) -> String? {
        guard !link.contains("://"), !link.hasPrefix("mailto:") else { return nil }
        let parts = link.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        let path = parts[0].isEmpty ? file.path : resolve(String(parts[0]), from: file.path)
        guard exists(path) else { return "the link \(link) leads to nothing" }
        guard parts.count == 2, let document = text(path) else { return nil }
        let isAlive = Self.anchors(of: document).contains(String(parts[1]))
        return isAlive ? nil : "there is no heading for the link \(link)"
    }

    private func resolve(_ link: String, from path: String) -> String {
        var parts = path.split(separator: "/").dropLast().map(String.init)
        for part in link.split(separator: "/") where part != "." {
            if part == ".." { _ = parts.popLast() } else { parts.append(String(part)) }
        }
        let resolved = parts.joined(separator: "/")
        return resolved.removingPercentEncoding ?? resolved
    }

    private func links(of file: SourceFile) -> [(line: Int, link: String)] {
        var links: [(line: Int, link: String)] = []
        for (line, text) in Self.prose(of: file) {
            for part in text.components(separatedBy: "](").dropFirst() {
                // What stands before the bracket, or before the title in it.
                let link = part.prefix { $0 != ")" && $0 != " " }
                if part.contains(")"), !link.isEmpty { links.append((line, String(link))) }
            }
            links += text.matches(of: /^\[[^\]]+\]: +(\S+)|\b(?:href|src)="([^"]+)"/).compactMap {
                ($0.output.1 ?? $0.output.2).map { (line, String($0)) }
            }
        }
        return links
    }

    /// A heading's anchor: small letters, digits and hyphens, a hyphen for each blank; the second of a name has `-1`.
    private static func anchors(of text: String) -> Set<String> {
        let headings = prose(of: SourceFile(path: "", text: text))
            .map(\.text)
            .filter { $0.hasPrefix("#") }
        var counts: [String: Int] = [:]
        return Set(
            headings.map { heading in
                let name = heading.drop { $0 == "#" || $0 == " " }.lowercased()
                    .filter { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" || $0 == " " }
                    .replacing(" ", with: "-")
                counts[name, default: -1] += 1
                return counts[name] == 0 ? name : "\(name)-\(counts[name, default: 0])"
            }
        )
    }

    /// The lines outside code, with code spans left out.
    private static func prose(of file: SourceFile) -> [(line: Int, text: String)] {
        var isInCode = false
        return file.lines.enumerated().compactMap { index, line in
            let isFence = line.drop { $0 == " " }.hasPrefix("```")
            if isFence { isInCode.toggle() }
            guard !isInCode, !isFence else { return nil }
            let isHeading = line.hasPrefix("#")
            let spans = line.split(separator: "`", omittingEmptySubsequences: false)
            let text = spans.enumerated().map { offset, span in
                offset.isMultiple(of: 2) || isHeading ? String(span) : ""
            }
            return (index + 1, text.joined())
        }
    }
}
