import Foundation
import HTMLPages
import Testing

/// Compares the list of languages with the files of texts: one for each language and target.
@Suite("The languages of the pages and emails") struct LanguageTests {
    private static let folders = [
        "Sources/Server/AccountsServer/Resources/Languages/",
        "Sources/Emulator/AppleEmulatorPages/Resources/Languages/",
    ]

    private static func texts(_ file: String) throws -> [String: String] {
        let data = try Data(contentsOf: Repository.root.appending(path: file))
        return try JSONDecoder().decode([String: String].self, from: data)
    }

    private static func values(in text: String?) -> Set<Substring> {
        Set((text ?? "").matches(of: /\{([^}]*)\}/).map(\.1))
    }

    @Test("No file is of a language outside the list", arguments: folders)
    func listed(folder: String) throws {
        let names = try Repository.jsonFiles(below: folder).map {
            $0.path.dropFirst(folder.count).dropLast(".json".count)
        }
        let tags = Set(names.filter { $0 != "buttons" }.map(String.init))
        #expect(tags == Set(PageLanguage.allCases.map(\.tag)))
    }

    @Test(
        "Every language has the texts of English, with the same values, none empty",
        arguments: folders,
        PageLanguage.allCases
    )
    func complete(file: String, language: PageLanguage) throws {
        let english = try Self.texts("\(file)en.json")
        let texts = try Self.texts("\(file)\(language.tag).json")
        #expect(Set(texts.keys) == Set(english.keys))
        for (name, text) in texts {
            #expect(!text.isEmpty, "\(name)")
            #expect(Self.values(in: text) == Self.values(in: english[name]), "\(name): \(text)")
        }
    }

    /// One or two words, such as "Apple Account", can be the same in two languages.
    @Test(
        "No other language repeats an English sentence",
        arguments: folders,
        PageLanguage.allCases.filter { $0 != .english }
    )
    func translated(file: String, language: PageLanguage) throws {
        let english = try Self.texts("\(file)en.json")
        let texts = try Self.texts("\(file)\(language.tag).json")
        let same = texts.filter { english[$0.key] == $0.value }.values
        #expect(same.allSatisfy { $0.split(separator: " ").count < 3 }, "\(same)")
    }

    @Test("German addresses people as Sie", arguments: folders) func polite(file: String) throws {
        let familiar = /\b([Dd]u|[Dd]ir|[Dd]ich|[Dd]ein\w*)\b/
        for (name, text) in try Self.texts("\(file)de.json") {
            #expect(!text.contains(familiar), "\(name): \(text)")
        }
    }

    @Test("The reference names every language") func documented() throws {
        let english = Locale(identifier: "en")
        let names = PageLanguage.allCases.compactMap {
            english.localizedString(forLanguageCode: $0.tag)
        }
        let list = names.dropLast().joined(separator: ", ") + " or \(names.last ?? "")"
        let page = Repository.root.appending(path: "docs/reference/accounts.md")
        #expect(try String(contentsOf: page, encoding: .utf8).contains("are in \(list), by"))
    }
}
