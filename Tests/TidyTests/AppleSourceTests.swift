import Foundation
import TestSupport
import Testing

/// This system's compiler reads what the tests do not compile: the lines for Apple's systems, and the Vapor app.
///
/// It sees whether they are Swift, not whether Apple's frameworks have the names.
@Suite("Sources that are compiled elsewhere are Swift") struct AppleSourceTests {
    private static let folders = [
        "Sources/App/SignInKit", "Sources/App/SignInKitUI", "Examples/Juice", "Examples/Minimal",
        "Examples/HelloVapor", "Sources/Server/SignInWithAppleVapor",
    ]

    @Test("The compiler reads them", arguments: AppleSystem.allCases)
    func parse(system: AppleSystem) throws {
        let files = try Self.folders.flatMap(Repository.swiftFiles)
        try #require(files.count > 10)
        let texts = files.map { system.forced($0.text) }
        let refusal = try refusal(of: texts)
        #expect(refusal == nil, "\(refusal ?? "")")
    }

    @Test("A line that is no Swift is found behind a condition") func mistake() throws {
        let text = "#if canImport(UIKit) && !os(watchOS)\nfunc broken( {}\n#endif\n"
        #expect(try refusal(of: [AppleSystem.iOS.forced(text)])?.contains("error") == true)
        let fixed = text.replacing("broken( ", with: "whole() ")
        #expect(try refusal(of: [AppleSystem.iOS.forced(fixed)]) == nil)
    }

    /// What the compiler says against one of the texts; nil when it reads all of them.
    private func refusal(of texts: [String]) throws -> String? {
        let folder = try makeTemporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let paths = try texts.enumerated().map { index, text in
            let file = folder.appending(path: "File\(index).swift")
            try Data(text.utf8).write(to: file)
            return file.path
        }
        let (code, words) = try runProgram(
            "swiftc",
            ["-frontend", "-parse", "-parse-as-library", "-swift-version", "6"] + paths
        )
        return code == 0 ? nil : words
    }
}

/// A system for which conditions are forced.
enum AppleSystem: CaseIterable {
    case iOS, macOS

    /// A text whose conditions are those of this system.
    func forced(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            let words = line.drop { $0 == " " }
            guard words.hasPrefix("#if ") || words.hasPrefix("#elseif ") else {
                return String(line)
            }
            return String(line.replacing(/\b(canImport|os)\((\w+)\)/) { isTrue(of: $0.output.2) })
        }
        .joined(separator: "\n")
    }

    private func isTrue(of name: Substring) -> String {
        let names: Set<Substring> =
            switch self {
            case .iOS: ["iOS", "UIKit"]
            case .macOS: ["macOS", "AppKit"]
            }
        let both: Set<Substring> = [
            "AuthenticationServices", "CryptoKit", "Darwin", "Security", "SwiftUI",
        ]
        return String(names.contains(name) || both.contains(name))
    }
}
