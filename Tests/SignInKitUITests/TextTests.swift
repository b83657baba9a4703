import Foundation
import SignInKit
import Testing

@testable import SignInKitUI

/// The string catalogue, which Linux copies and does not compile.
@Suite("The texts of the views") struct TextTests {
    private struct Catalogue: Decodable {
        struct Entry: Decodable { let localizations: [String: Localization] }
        struct Localization: Decodable { let stringUnit: Unit }
        struct Unit: Decodable { let state, value: String }

        let sourceLanguage: String
        let strings: [String: Entry]
    }

    private static let root = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../..").standardized
    private static let kinds: [SignInKitError.Kind] = [
        .unknown, .noCredential, .noWindow, .invalidResponse, .notHandled, .failed,
        .notInteractive, .preferSignInWithApple, .serverUnreachable,
        .serverUnavailable(retryAfter: nil), .insecureServer, .credentialsLocked,
        .credentialsUnavailable, .notSignedIn, .revoked, .transferred, .anotherPerson,
        .freshSignInRequired, .alreadySigningIn, .busy, .registrationPending, .registrationUnsaved,
        .registrationExpired, .unexpectedAnswer,
    ]

    private func catalogue() throws -> [String: [String: String]] {
        let file = Self.root.appending(
            path: "Sources/App/SignInKitUI/Resources/Localizable.xcstrings"
        )
        let catalogue = try JSONDecoder().decode(Catalogue.self, from: Data(contentsOf: file))
        #expect(catalogue.sourceLanguage == "en")
        return catalogue.strings.mapValues { entry in
            entry.localizations.mapValues(\.stringUnit.value)
        }
    }

    /// The texts of the server's pages, by language and by key.
    private func pages() throws -> [String: [String: String]] {
        let folder = Self.root.appending(path: "Sources/Server/AccountsServer/Resources/Languages")
        let files = try FileManager.default.contentsOfDirectory(
            at: folder,
            includingPropertiesForKeys: nil
        )
        return try files.reduce(into: [:]) { pages, file in
            let object = try JSONSerialization.jsonObject(with: Data(contentsOf: file))
            pages[file.deletingPathExtension().lastPathComponent] = flattened(object, "")
        }
    }

    private func flattened(_ value: Any, _ prefix: String) -> [String: String] {
        guard let object = value as? [String: Any] else { return [prefix: value as? String ?? ""] }
        return object.reduce(into: [:]) { texts, member in
            let key = prefix.isEmpty ? member.key : "\(prefix).\(member.key)"
            texts.merge(flattened(member.value, key)) { $1 }
        }
    }

    @Test("Every text exists in every language of the catalogue, among them those of the pages")
    func complete() throws {
        let (catalogue, pages) = (try catalogue(), try pages())
        let languages = Set(catalogue.values.flatMap(\.keys))
        #expect(!pages.isEmpty && languages.isSuperset(of: pages.keys))
        let used =
            UIText.allCases.map(\.rawValue)
            + Self.kinds.map { SignInKitError.keyPrefix + SignInKitError($0).code }
        #expect(Set(used).isSubset(of: catalogue.keys))
        for (key, texts) in catalogue {
            #expect(Set(texts.keys) == languages, "\(key)")
            #expect(texts.values.allSatisfy { !$0.isEmpty }, "\(key)")
        }
        let others = Set(catalogue.keys).subtracting(used)
        #expect(others.allSatisfy { $0.hasPrefix(SignInKitError.keyPrefix) }, "\(others)")
    }

    @Test("No text is unused") func used() throws {
        let folder = Self.root.appending(path: "Sources/App/SignInKitUI/Views")
        let views = try FileManager.default.contentsOfDirectory(
            at: folder,
            includingPropertiesForKeys: nil
        )
        let sources = try (views + [folder.appending(path: "../UIText.swift").standardized])
            .map { try String(contentsOf: $0, encoding: .utf8) }.joined()
        for text in UIText.allCases {
            #expect(
                sources.contains(try Regex("\\.\(text.rawValue)(?![A-Za-z])")),
                "\(text.rawValue)"
            )
        }
    }

    @Test("A text that the pages have too is the same, with the same values to fill in")
    func sameAsPages() throws {
        let pages = try pages()
        var sharedCount = 0
        for (key, texts) in try catalogue() {
            for (language, text) in texts {
                guard let page = pages[language]?[key] else { continue }
                sharedCount += 1
                #expect(text == page, "\(key) in \(language)")
            }
        }
        #expect(sharedCount > 400)
    }

    @Test("The server's values are filled in, the time to wait in words")
    func values() {
        var error = SignInKitError(.refused(code: "too_many_attempts"), message: "Wait.")
        let text = "Try again in {seconds}."
        let locale = Locale(identifier: "en_US")
        #expect(error.filled(text, locale) == "Wait.")
        error.parameters = ["seconds": "90"]
        #expect(error.filled(text, locale) == "Try again in 1 minute, 30 seconds.")
        error.parameters = ["seconds": "9223372036854775807"]
        #expect(error.filled(text, locale) == "Try again in 1,440 minutes.")
        error.parameters = ["minimum": "8"]
        #expect(error.filled("At least {minimum}.", locale) == "At least 8.")
    }

    @Test("An error without a text shows the server's message") func unknownCode() {
        let error = SignInKitError(.refused(code: "of_a_later_server"), message: "Try tomorrow.")
        #expect(error.localizedMessage == "Try tomorrow.")
    }
}
