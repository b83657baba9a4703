#if os(Linux)
    import Foundation
    import TestSupport
    import Testing

    /// The views of the examples fit the modules that they draw, though nothing on this system can draw them.
    ///
    /// Modules with the shape of SwiftUI stand in for it; those of this package are the built ones.
    @Suite("The examples have the right types") struct ExampleTypeTests {
        private static let standIns = "Tests/TidyTests/StandIns"

        /// Where the modules lie beside the program that runs the tests.
        private static let modules = URL(filePath: CommandLine.arguments[0])
            .deletingLastPathComponent().appending(path: "Modules").path

        @Test("The app on JuiceModel") func examples() throws {
            try withStandIns { folder in
                let views = try Repository.swiftFiles(below: "Examples/Juice/Juice").map(\.path)
                try #require(views.count > 1)
                #expect(try refusal(of: views, in: folder) == "")
            }
        }

        @Test("A view that asks the model for what it does not have is found") func mistake() throws
        {
            try withStandIns { folder in
                let file = folder.appending(path: "Wrong.swift")
                let text = """
                    import JuiceApp
                    import SwiftUI

                    struct Wrong: View {
                        let model: JuiceModel
                        var body: some View { Text(model.sentenceOfTheDay) }
                    }
                    """
                try Data(text.utf8).write(to: file)
                let words = try refusal(of: [file.path], in: folder)
                #expect(words.contains("no member 'sentenceOfTheDay'"))
            }
        }

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
            #expect(try refusal(of: [file.path], in: folder) == "")
        }

        /// Runs a body with a folder in which the stand-ins are compiled.
        private func withStandIns(_ body: (URL) throws -> Void) throws {
            let folder = try makeTemporaryFolder()
            defer { try? FileManager.default.removeItem(at: folder) }
            // Apple's framework is empty: that it is there opens what only Apple's systems compile.
            let screens = try Repository.swiftFiles(below: "Sources/SignInKitUI/Screens").map(
                \.path
            )
            try #require(screens.count > 3)
            try makeModule("AuthenticationServices", of: [], in: folder)
            try makeModule("SwiftUI", of: [], in: folder)
            try makeModule("SignInKitUI", of: screens, in: folder)
            try body(folder)
        }

        /// Compiles a module of its stand-in and of sources of this package.
        private func makeModule(_ name: String, of paths: [String], in folder: URL) throws {
            let source = folder.appending(path: name + ".swift")
            let standIn = Repository.root.appending(path: "\(Self.standIns)/\(name).txt")
            let text = (try? Data(contentsOf: standIn)) ?? Data()
            try text.write(to: source)
            let output = folder.appending(path: name + ".swiftmodule").path
            let words = try compile(
                ["-emit-module", "-module-name", name, "-emit-module-path", output, source.path]
                    + paths.map { Repository.root.appending(path: $0).path },
                in: folder
            )
            try #require(words == "")
        }

        /// What the compiler says against the files; nothing when their types are right.
        private func refusal(of paths: [String], in folder: URL) throws -> String {
            let files = paths.map { path in
                path.hasPrefix("/") ? path : Repository.root.appending(path: path).path
            }
            return try compile(["-typecheck", "-module-name", "Example"] + files, in: folder)
        }

        private func compile(_ arguments: [String], in folder: URL) throws -> String {
            let options =
                ["-swift-version", "6", "-parse-as-library", "-warnings-as-errors"]
                // As in a new project of Xcode: a member is there only with its module's import.
                + ["-enable-upcoming-feature", "MemberImportVisibility"]
                + ["-I", folder.path, "-I", Self.modules]
            return try runProgram("swiftc", options + arguments).words
        }
    }
#endif
