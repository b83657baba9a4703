import Foundation

/// The published test vectors next to this file.
enum VectorFile {
    static let folder = URL(filePath: #filePath)
        .deletingLastPathComponent()
        .appending(path: "Vectors")

    static func data(_ name: String) throws -> Data {
        try Data(contentsOf: folder.appending(path: name))
    }

    static func read<Content: Decodable>(_ name: String, as type: Content.Type) throws -> Content {
        try JSONDecoder().decode(type, from: data(name))
    }
}

/// The verdict of a Wycheproof case.
enum Verdict: String, Decodable {
    case valid, invalid, acceptable
}

/// Bytes that a file spells in hexadecimal digits.
struct HexadecimalData: Decodable {
    let data: Data

    init(from decoder: any Decoder) throws {
        let digits = Array(try decoder.singleValueContainer().decode(String.self).utf8)
        let values = digits.compactMap { Character(UnicodeScalar($0)).hexDigitValue }
        guard values.count == digits.count, digits.count.isMultiple(of: 2) else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "not hexadecimal")
            )
        }
        data = Data(
            stride(from: 0, to: values.count, by: 2).map { UInt8(values[$0] << 4 | values[$0 + 1]) }
        )
    }
}
