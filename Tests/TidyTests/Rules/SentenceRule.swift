import Foundation

/// Every code that the accounts server or the routes it mounts refuse with has a sentence for people in
/// every language of the pages.
struct SentenceRule {
    /// The folders whose refusals can end on a page.
    static let folders = ["Sources/Server/AccountsServer", "Sources/Server/SignInWithApple"]
    /// The folder of the texts, one file a language.
    static let languages = "Sources/Server/AccountsServer/Resources/Languages"

    let texts: [String: Set<String>]

    func violations(in file: SourceFile) -> [Violation] {
        Self.codes(in: file).flatMap { code in
            texts.filter { !$0.value.contains("error.\(code)") }.keys.sorted().map {
                Violation(path: file.path, line: 1, message: "\(code) has no sentence in \($0)")
            }
        }
    }

    /// The codes with which a file makes refusals.
    static func codes(in file: SourceFile) -> [String] {
        file.text.matches(of: /(?:RefusedSignIn|ServerError|self\.init)\(\s*"([a-z_]+)",\s*\./)
            .map { String($0.output.1) }
    }
}
