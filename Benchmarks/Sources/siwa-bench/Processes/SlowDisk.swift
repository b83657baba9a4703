import Foundation

/// A disk on which a flush takes longer than on this machine's, for processes that are started with it.
struct SlowDisk {
    /// How long a flush takes at least.
    static let flushMicroseconds = 1_000
    /// The same in seconds.
    static var flushSeconds: Double { Double(flushMicroseconds) / 1_000_000 }
    /// What the charts say of it.
    static let name = "a flush of 1 ms (a common cloud disk)"

    /// The environment with which a process must be started.
    let environment: [String: String]

    /// Builds the library that makes flushes slow.
    ///
    /// - Parameter folder: where it is put.
    /// - Throws: ``BenchError`` when there is no compiler, or it refuses.
    init(in folder: URL) throws {
        let library = folder.appending(path: "slow_flush.so")
        let source = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../SlowFlush/slow_flush.c").standardizedFileURL
        let compiler = Process()
        compiler.executableURL = URL(filePath: "/usr/bin/env")
        compiler.arguments = [
            "clang", "-shared", "-fPIC", "-Wall", "-Werror", "-o", library.path, source.path,
            "-ldl",
        ]
        try compiler.run()
        compiler.waitUntilExit()
        guard compiler.terminationStatus == 0 else {
            throw BenchError("\(source.path) can't be compiled; clang is part of Swift's toolchain")
        }
        environment = [
            "LD_PRELOAD": library.path,
            "SIWA_BENCH_FLUSH_MICROSECONDS": String(Self.flushMicroseconds),
        ]
    }
}
