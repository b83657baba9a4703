#if os(Linux)
    import Foundation
    import TestSupport
    import Testing

    /// What an app gets with one import of a product.
    @Suite("The products export their types") struct ExportTests {
        /// Where the modules lie beside the program that runs the tests.
        private static let modules = URL(filePath: CommandLine.arguments[0])
            .deletingLastPathComponent().appending(path: "Modules").path

        @Test(
            "A product names the types that it shows: their modules are no products",
            arguments: [
                ("SignInKit", ["ClientID", "UserID", "Scope"]),
                ("SimulatedAuthenticationServices", ["ClientID"]),
            ]
        ) func exports(product: String, identifiers: [String]) throws {
            let folder = try makeTemporaryFolder()
            defer { try? FileManager.default.removeItem(at: folder) }
            let file = folder.appending(path: "Exports.swift")
            let uses = identifiers.map { name in
                #"func text(_ value: \#(name) = "a") -> String { value.description + value.rawValue }"#
            }
            let name = #"let name = PersonName(givenName: "Maya").displayName"#
            let lines = ["import \(product)", name] + uses
            try Data(lines.joined(separator: "\n").utf8).write(to: file)
            #expect(try refusal(of: file.path) == "")
        }

        /// What the compiler says against a file; nothing if its types are right.
        private func refusal(of path: String) throws -> String {
            let options =
                ["-typecheck", "-module-name", "Example", "-swift-version", "6"]
                + ["-parse-as-library", "-warnings-as-errors"]
                // As in a new project of Xcode: a member is there only with its module's import.
                + ["-enable-upcoming-feature", "MemberImportVisibility", "-I", Self.modules]
            return try runProgram("swiftc", options + [path]).words
        }
    }
#endif
