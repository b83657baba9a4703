#if os(Linux)
    import Foundation

    /// A file system that loses everything that was not flushed.
    struct PowerCut {
        /// The environment of the program.
        let environment: [String: String]

        private let durable: URL

        /// Builds the library that records each flush.
        ///
        /// - Parameter folder: the folder of the library and the durable copies.
        /// - Throws: ``HarnessError`` if the compiler is missing or fails.
        init(in folder: URL) async throws {
            durable = folder.appending(path: "durable")
            try FileManager.default.createDirectory(at: durable, withIntermediateDirectories: true)
            let library = folder.appending(path: "forgetful.so")
            let source = URL(filePath: #filePath).deletingLastPathComponent()
                .appending(path: "forgetful.c")
            let compiler = try Program(
                Workplace.program("clang", package: "part of Swift's toolchain"),
                arguments: [
                    "-shared", "-fPIC", "-Wall", "-Werror", "-o", library.path, source.path, "-ldl",
                ],
                folder: folder
            )
            guard try await compiler.finish() == 0 else {
                throw HarnessError("forgetful.c can't be compiled: \(compiler.errors)")
            }
            environment = ["LD_PRELOAD": library.path, "SIWA_TEST_DURABLE_FOLDER": durable.path]
        }

        /// Reduces the database to what was flushed.
        ///
        /// - Parameter data: the folder of the demo, which has ended.
        /// - Throws: the system's error if a file can't be replaced.
        func happen(to data: URL) throws {
            let files = FileManager.default
            for name in try files.contentsOfDirectory(atPath: data.path)
            where name.hasPrefix("siwa.sqlite") {
                let file = data.appending(path: name)
                try files.removeItem(at: file)
                // A removed file stays removed, because SQLite flushes the folder then.
                let copy = durable.appending(path: name)
                if files.fileExists(atPath: copy.path) { try files.copyItem(at: copy, to: file) }
            }
        }
    }
#endif
