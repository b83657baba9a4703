#if os(Linux)
    import Foundation
    import TestSupport
    import Testing

    /// Code of apps compiles with the settings of an app's project.
    @Suite("Code of apps compiles in an app's project") struct AppCodeTests {
        /// Where the modules lie beside the program that runs the tests.
        private static let modules = URL(filePath: CommandLine.arguments[0])
            .deletingLastPathComponent().appending(path: "Modules").path
        private static let pages = [
            "Sources/App/SignInKit/SignInKit.docc/GettingStarted.md",
            "docs/tutorials/app-for-apple-devices.md",
        ]

        /// The settings of a new project in Xcode 26, by language mode.
        ///
        /// Source: [Approachable concurrency](https://docs.swift.org/compiler/documentation/diagnostics/nonisolated-nonsending-by-default)
        enum Project: String, CaseIterable {
            case swift6 = "6"
            case swift5 = "5"

            var options: [String] {
                var features = [
                    "MemberImportVisibility", "InferIsolatedConformances",
                    "NonisolatedNonsendingByDefault",
                ]
                if self == .swift5 {
                    features += [
                        "DisableOutwardActorInference", "GlobalActorIsolatedTypesUsability",
                        "InferSendableFromCaptures",
                    ]
                }
                return ["-swift-version", rawValue, "-default-isolation", "MainActor"]
                    + features.flatMap { ["-enable-upcoming-feature", $0] }
            }
        }

        @Test("The documents' code and the tests of Examples/Juice", arguments: Project.allCases)
        func documents(_ project: Project) throws {
            let imports = "import Foundation\nimport SignInKit\nimport FoundationNetworking\n"
            let blocks = try Repository.markdownFiles().filter { Self.pages.contains($0.path) }
                .flatMap(TutorialRule.blocks)
                .filter(\.isSwift)
                .map { $0.text.joined(separator: "\n") }
                // SwiftUI is not here: `AppleSourceTests` parses its code.
                .filter { !$0.contains("SwiftUI") && !$0.contains("SignInWithAppleButton") }
            try #require(blocks.count == 4)
            for block in blocks { #expect(try refusal(of: imports + block, project.options) == "") }
            let tests = try Repository.swiftFiles(below: "Examples/Juice/JuiceTests")
            try #require(!tests.isEmpty)
            for test in tests { #expect(try refusal(of: test.text, project.options) == "") }
        }

        @Test("A call that the kit does not have is found") func mistake() throws {
            let text = "import SignInKit\nfunc f(_ session: SignInSession) { session.signInNow() }"
            let words = try refusal(of: text, Project.swift6.options)
            #expect(words.contains("no member 'signInNow'"))
        }

        @Test(
            "A product names the types that it shows: their modules are no products",
            arguments: [
                ("SignInKit", ["ClientID", "UserID", "Scope"]),
                ("SimulatedAuthenticationServices", ["ClientID"]),
            ]
        ) func exports(product: String, identifiers: [String]) throws {
            let uses = identifiers.map { name in
                #"func text(_ value: \#(name) = "a") -> String { value.description + value.rawValue }"#
            }
            let name = #"let name = PersonName(givenName: "Maya").displayName"#
            let lines = ["import \(product)", name] + uses
            let options = [
                "-swift-version", "6", "-enable-upcoming-feature", "MemberImportVisibility",
            ]
            #expect(try refusal(of: lines.joined(separator: "\n"), options) == "")
        }

        /// What the compiler says against a text; nothing if its types are right.
        private func refusal(of text: String, _ options: [String]) throws -> String {
            let folder = try makeTemporaryFolder()
            defer { try? FileManager.default.removeItem(at: folder) }
            let file = folder.appending(path: "Example.swift")
            try Data(text.utf8).write(to: file)
            let common = [
                "-typecheck", "-module-name", "Example", "-parse-as-library",
                "-warnings-as-errors", "-I", Self.modules,
            ]
            return try runProgram("swiftc", common + options + [file.path]).words
        }
    }
#endif
