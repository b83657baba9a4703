import Foundation

/// Decodes JSON only when all of it is JSON in UTF-8.
///
/// Foundation's decoder leaves texts unread that nobody asks for, so that it lets broken UTF-8 and
/// bare control characters pass in them, and it takes other encodings too. Another reader might
/// find something else in such a document.
///
/// Source: [RFC 8259, section 8.1](https://www.rfc-editor.org/rfc/rfc8259#section-8.1),
/// [RFC 8725, section 3.7](https://www.rfc-editor.org/rfc/rfc8725#section-3.7)
package enum StrictJSON {
    /// Decodes a document whose outermost value is an object or an array.
    ///
    /// - Parameters:
    ///   - type: what to decode.
    ///   - text: the document.
    /// - Returns: the decoded value.
    /// - Throws: what Foundation throws when the document is not JSON or not of that type.
    package static func decode<Value: Decodable>(_ type: Value.Type, from text: Data) throws
        -> Value
    {
        guard String(validating: text, as: UTF8.self) != nil, !text.contains(0) else {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(codingPath: [], debugDescription: "it is not UTF-8")
            )
        }
        _ = try JSONSerialization.jsonObject(with: text)
        return try JSONDecoder().decode(type, from: text)
    }
}
