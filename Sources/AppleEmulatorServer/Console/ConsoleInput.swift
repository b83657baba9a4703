import AppleEmulator
import AppleEmulatorPages
import Foundation

/// The fields of a posted form, each at most once.
///
/// Source: [URL Standard, section 5](https://url.spec.whatwg.org/#application/x-www-form-urlencoded)
struct ConsoleInput: Sendable {
    /// How many fields a form has at most.
    static let maximumFieldCount = 64

    private var values: [String: String] = [:]

    /// Reads a form.
    init(_ body: some Collection<UInt8>) throws(ControlProblem) {
        guard let text = String(validating: body, as: UTF8.self) else {
            throw .malformed("The form is not UTF-8.")
        }
        let pairs = text.split(separator: "&")
        guard pairs.count <= Self.maximumFieldCount else {
            throw .malformed("The form has more than \(Self.maximumFieldCount) fields.")
        }
        for pair in pairs {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = Self.decode(parts[0]),
                let value = parts.count > 1 ? Self.decode(parts[1]) : ""
            else { throw .malformed("The form is not percent-encoded.") }
            guard values.updateValue(value, forKey: name) == nil else {
                throw .malformed("The form has the field \"\(name.prefix(64))\" twice.")
            }
        }
    }

    subscript(name: String) -> String? { values[name] }

    /// Browsers send the lines of a text with CR and LF.
    private static func decode(_ text: Substring) -> String? {
        text.replacing("+", with: " ").removingPercentEncoding?
            .replacingOccurrences(of: "\r\n", with: "\n")
    }
}

/// What a posted form came to.
enum ConsoleOutcome {
    /// It was done; the browser goes on to a page that says so.
    case done(ConsoleNotice, at: String)
    /// It was done, and the answer itself has what is shown only once.
    case shown(ConsolePage, ConsoleNotice)
}
