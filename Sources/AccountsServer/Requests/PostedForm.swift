import Foundation

/// The fields of a posted form, in order, doubled ones included.
///
/// Source: [URL Standard, section 5](https://url.spec.whatwg.org/#application/x-www-form-urlencoded)
struct PostedForm {
    private(set) var fields: [(name: String, value: String)]

    /// Reads a form; nil when an escape is broken, the text is not UTF-8, or it has too many fields.
    init?(_ body: Data) {
        guard let text = String(validating: body, as: UTF8.self) else { return nil }
        let pairs = text.split(separator: "&")
        guard pairs.count <= ServerLimits.maximumFormFieldCount else { return nil }
        var fields: [(String, String)] = []
        for pair in pairs {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = Self.decode(parts[0]), let value = Self.decode(parts.last ?? "")
            else { return nil }
            fields.append((name, parts.count == 2 ? value : ""))
        }
        self.fields = fields
    }

    /// All values of a field.
    subscript(all name: String) -> [String] {
        fields.filter { $0.name == name }.map(\.value)
    }

    /// The value of a field that is there once.
    subscript(name: String) -> String? {
        let values = self[all: name]
        return values.count == 1 ? values[0] : nil
    }

    /// Takes a field away, however often it is there.
    mutating func remove(_ name: String) {
        fields.removeAll { $0.name == name }
    }

    /// Puts a value in the place of whatever the field had.
    mutating func set(_ name: String, _ value: String) {
        remove(name)
        fields.append((name, value))
    }

    /// The form as a browser would post it.
    var body: Data {
        let pairs = fields.map { "\(Self.encode($0.name))=\(Self.encode($0.value))" }
        return Data(pairs.joined(separator: "&").utf8)
    }

    private static func decode(_ text: Substring) -> String? {
        text.replacing("+", with: " ").removingPercentEncoding
    }

    private static let unreserved = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
    )

    private static func encode(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: unreserved) ?? ""
    }
}
