import AppleEmulator
import AppleIdentity
import Foundation
import HTMLPages

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
                "text": .string(self[kind]), "width": .number(AppleButton.width(of: self[kind])),
            ]
        }
        return [
            "tag": .string(languageTag), "direction": .string(isRightToLeft ? "rtl" : "ltr"),
            "titles": .object(titles),
        ]
    }
}
