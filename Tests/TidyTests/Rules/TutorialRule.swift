/// What a reader pastes from a tutorial are the files of a finished example, the name of each above its text.
struct TutorialRule {
    /// How the tutorial names this package, and how the example does.
    private static let packagePaths = (
        tutorial: #"path: "../sign-in-with-apple""#, example: #"path: "../..""#
    )

    let files: [String: String]
    /// The files to which the tutorial's end adds lines.
    let growing: Set<String>

    func violations(in document: SourceFile) -> [Violation] {
        Self.blocks(of: document).compactMap { block in
            guard let path = block.path else {
                return block.isSwift ? violation(document, block, "has no file's name") : nil
            }
            guard let file = files[path] else {
                return violation(document, block, "is no file of the example: \(path)")
            }
            let isRight =
                growing.contains(path)
                ? Self.isPart(block.text, of: Self.lines(file))
                : block.text == Self.lines(file)
            return isRight ? nil : violation(document, block, "differs from the example's \(path)")
        }
    }

    private func violation(_ document: SourceFile, _ block: Block, _ message: String) -> Violation {
        Violation(path: document.path, line: block.line, message: message)
    }

    /// A block of code, and the path in the line above it.
    struct Block {
        let path: String?
        let isSwift: Bool
        let line: Int
        var text: [String] = []
    }

    static func blocks(of document: SourceFile) -> [Block] {
        var blocks: [Block] = []
        var current: Block?
        var path: String?
        for (index, line) in document.lines.enumerated() {
            if let block = current {
                if line == "```" {
                    blocks.append(block)
                    (current, path) = (nil, nil)
                } else {
                    let code = line.replacing(packagePaths.tutorial, with: packagePaths.example)
                    current?.text.append(String(code))
                }
            } else if line.hasPrefix("```") {
                current = Block(path: path, isSwift: line == "```swift", line: index + 1)
            } else if let name = line.wholeMatch(of: /`([^`]+)`:/) {
                path = String(name.output.1)
            } else if !line.isEmpty {
                path = nil
            }
        }
        return blocks
    }

    private static func lines(_ text: String) -> [String] {
        text.trimmingSuffix { $0 == "\n" }.split(separator: "\n", omittingEmptySubsequences: false)
            .map(String.init)
    }

    /// Whether lines stand in a text in the same order, with others between them.
    private static func isPart(_ lines: [String], of text: [String]) -> Bool {
        var rest = text[...]
        for line in lines {
            guard let index = rest.firstIndex(of: line) else { return false }
            rest = rest[(index + 1)...]
        }
        return true
    }
}

extension String {
    fileprivate func trimmingSuffix(while isTrimmed: (Character) -> Bool) -> Substring {
        self[..<(lastIndex { !isTrimmed($0) }.map(index(after:)) ?? startIndex)]
    }
}
