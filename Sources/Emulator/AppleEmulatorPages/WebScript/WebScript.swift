import AppleIdentity
import HTMLPages

/// The script that pages load, written from its documented interface.
enum WebScript {
    private static let source = String(decoding: PackageResources.appleid_auth_js, as: UTF8.self)

    /// The script in one language: the file is a function, called with the language's facts.
    static func text(_ titles: ButtonTitles) -> String {
        let end = source.lastIndex { !$0.isWhitespace && $0 != ";" } ?? source.startIndex
        var facts = titles.object
        facts["applePath"] = .string(AppleButton.logoPath)
        return source[...end] + "(\(facts.text));\n"
    }
}
