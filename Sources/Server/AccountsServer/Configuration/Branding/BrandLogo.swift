import Foundation

/// The team's logo: a PNG or SVG file that the server has read and serves itself.
package struct BrandLogo: Hashable, Sendable {
    static let settingName = "SIWA_BRAND_LOGO"
    /// The maximum size of the file, in bytes: 100 KB.
    static let maximumByteCount = 100 * 1024

    enum Format: String, Sendable {
        case png, svg

        var contentType: String {
            switch self {
            case .png: "image/png"
            case .svg: "image/svg+xml; charset=utf-8"
            }
        }
    }

    let format: Format
    let content: [UInt8]

    /// Reads a file; throws ``ConfigurationError`` about `SIWA_BRAND_LOGO`.
    package init(path: String) throws(ConfigurationError) {
        let file = FileHandle(forReadingAtPath: path)
        defer { try? file?.close() }
        guard let bytes = try? file?.read(upToCount: Self.maximumByteCount + 1) else {
            throw Self.mistake(
                "can't be read at \(path)",
                fix: "check the path, and that the server's user can read the file"
            )
        }
        try self.init(content: Array(bytes))
    }

    init(content: [UInt8]) throws(ConfigurationError) {
        guard content.count <= Self.maximumByteCount else {
            throw Self.mistake(
                "is larger than \(Self.maximumByteCount / 1024) KB",
                fix: "use a smaller file: the pages show it 32 pixels high"
            )
        }
        if content.starts(with: Self.signatureOfPNG) {
            format = .png
        } else if let text = String(validating: content, as: UTF8.self), Self.isSVG(text) {
            guard !Self.hasScript(text) else {
                throw Self.mistake(
                    "is an SVG file with a script",
                    fix: "export it without scripts, event attributes, entities and foreign objects"
                )
            }
            format = .svg
        } else {
            throw Self.mistake(
                "is neither a PNG nor an SVG file",
                fix: "use a PNG file, or an SVG file in UTF-8"
            )
        }
        self.content = content
    }

    /// The first bytes of every PNG file.
    ///
    /// Source: [PNG, section 5.2](https://www.w3.org/TR/png-3/#5PNG-file-signature)
    private static let signatureOfPNG: [UInt8] = [
        0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A,
    ]

    private static func isSVG(_ text: String) -> Bool {
        // Atomic, because backtracking over many comments would take exponential time.
        let prologue = /(?s)\u{FEFF}?(?>(?:\s|<\?.*?\?>|<!--.*?-->|<!DOCTYPE[^>\[]*>)*)<svg[\s>]/
        return text.prefixMatch(of: prologue) != nil
    }

    /// Whether an SVG contains something that runs scripts where it is opened as a document.
    ///
    /// The pages show the logo as an image, and the server's content security policy forbids scripts: in both cases
    /// none runs. The check keeps such a file from being published at all.
    private static func hasScript(_ text: String) -> Bool {
        let plain = withoutReferences(text).lowercased()
        return plain.contains(/<\s*(?:[\w.\-]+:)?(?:script|foreignobject|handler)\b/)
            || plain.contains(/[\s"'\/]on[a-z]+\s*=/)
            || plain.contains(/<!entity/)
            || plain.filter { !$0.isWhitespace }.contains("javascript:")
    }

    /// Replaces numeric character references, such as `&#106;`, by their characters.
    private static func withoutReferences(_ text: String) -> String {
        text.replacing(/&#(?:x([0-9A-Fa-f]{1,6})|([0-9]{1,7}));/) { match in
            let value = match.1.map { UInt32($0, radix: 16) } ?? match.2.map { UInt32($0) }
            return (value ?? nil).flatMap(Unicode.Scalar.init).map { String($0) } ?? ""
        }
    }

    private static func mistake(_ message: String, fix: String) -> ConfigurationError {
        ConfigurationError(settingName, message, fix: fix)
    }
}
