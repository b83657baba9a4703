/// Writes JSON on several lines, without changing the order of members or the values.
enum IndentedJSON {
    private static let step = "  "

    /// Returns the text with line breaks; the text is not validated.
    static func text(_ compact: String) -> String {
        var writer = Writer()
        for scalar in compact.unicodeScalars { writer.add(scalar) }
        return writer.text
    }

    private struct Writer {
        var text = ""
        private var depth = 0
        private var isInString = false
        private var isEscaped = false
        private var isAfterOpening = false

        mutating func add(_ scalar: Unicode.Scalar) {
            guard !isInString else { return addInString(scalar) }
            switch scalar {
            case " ", "\n", "\r", "\t": return
            case "}", "]":
                depth = max(depth - 1, 0)
                if !isAfterOpening { breakLine() }
                text.unicodeScalars.append(scalar)
                isAfterOpening = false
                return
            default: break
            }
            if isAfterOpening { breakLine() }
            isAfterOpening = false
            text.unicodeScalars.append(scalar)
            switch scalar {
            case "{", "[":
                depth += 1
                isAfterOpening = true
            case ",": breakLine()
            case ":": text += " "
            case "\"": isInString = true
            default: break
            }
        }

        private mutating func addInString(_ scalar: Unicode.Scalar) {
            text.unicodeScalars.append(scalar)
            if isEscaped {
                isEscaped = false
            } else if scalar == "\\" {
                isEscaped = true
            } else if scalar == "\"" {
                isInString = false
            }
        }

        private mutating func breakLine() {
            text += "\n" + String(repeating: IndentedJSON.step, count: depth)
        }
    }
}
