import AppleEmulator
import AppleIdentity
import Foundation

struct ButtonTitles {
    /// The locale's name, such as `de_DE`.
    let locale: String
    private let titles: [ButtonKind: String]

    static func all() throws -> [String: ButtonTitles] {
        let file = Data(PackageResources.buttons_json)
        let table = try JSONDecoder().decode([String: [String]].self, from: file)
        return Dictionary(
            uniqueKeysWithValues: table.map { locale, texts in
                let titles = zip(ButtonKind.allCases, texts).map { ($0, $1) }
                return (
                    locale,
                    ButtonTitles(locale: locale, titles: Dictionary(uniqueKeysWithValues: titles))
                )
            }
        )
    }

    subscript(kind: ButtonKind) -> String { titles[kind] ?? "" }

    /// The language as a BCP 47 tag.
    var languageTag: String {
        // `iw` was the code of Hebrew before 1989.
        // https://www.rfc-editor.org/rfc/rfc5646#section-4.5
        locale.replacing("iw_", with: "he_").replacing("_", with: "-")
    }

    var isRightToLeft: Bool { ["ar_SA", "iw_IL"].contains(locale) }

    /// The facts of the language for the script.
    var object: JSONObject {
        var titles = JSONObject()
        for kind in ButtonKind.allCases {
            titles[kind.rawValue] = [
                "text": .string(self[kind]), "width": .number(Self.width(of: self[kind])),
            ]
        }
        return [
            "tag": .string(languageTag), "direction": .string(isRightToLeft ? "rtl" : "ltr"),
            "titles": .object(titles),
        ]
    }

    /// The approximate width of a text in the system's font, in parts of the font's size.
    static func width(of text: String) -> Double {
        text.unicodeScalars.reduce(0) { width, scalar in
            switch scalar.value {
            // Combining marks above or below another letter.
            case 0x0300...0x036F, 0x0E31, 0x0E34...0x0E3A, 0x0E47...0x0E4E: width
            // Hangul, kana and ideographs fill a square.
            case 0x1100...0x11FF, 0x3000...0x9FFF, 0xAC00...0xD7A3, 0xFF00...0xFFEF: width + 1
            // Hebrew and Arabic letters, and Latin ones like an i, are narrow.
            case 0x0590...0x06FF: width + 0.54
            default: width + ("fijlrtI ’-".unicodeScalars.contains(scalar) ? 0.36 : 0.64)
            }
        }
    }
}
