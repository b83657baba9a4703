import CoreMetrics
import Foundation

/// The gauges of the process, where the system has `/proc`.
struct ProcessMeasures: Sendable {
    private let memory: Meter
    private let openFiles: Meter

    init(startedAt start: Date, _ metrics: any MetricsFactory) {
        memory = Meter(label: "process_resident_memory_bytes", factory: metrics)
        openFiles = Meter(label: "process_open_fds", factory: metrics)
        Meter(label: "process_start_time_seconds", factory: metrics).set(
            start.timeIntervalSince1970
        )
        Meter(
            label: "siwa_build_info",
            dimensions: [("swift", Self.swiftVersion), ("configuration", Self.configuration)],
            factory: metrics
        )
        .set(1)
    }

    func sample() {
        if let bytes = Self.residentByteCount() { memory.set(bytes) }
        if let count = Self.openFileCount() { openFiles.set(count) }
    }

    /// The resident memory, which the system reports in kibibytes.
    ///
    /// Source: [proc_pid_status(5)](https://man7.org/linux/man-pages/man5/proc_pid_status.5.html)
    private static func residentByteCount() -> Int? {
        guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8) else {
            return nil
        }
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
        return line?.split(whereSeparator: \.isWhitespace).dropFirst().first
            .flatMap { Int($0) }
            .map { $0 * 1024 }
    }

    /// Gives freed memory back to the system: glibc would keep what a flood of connections has used.
    static func giveBackMemory() { _ = trim?(0) }

    /// The function of glibc; nil on other systems.
    ///
    /// Source: [malloc_trim(3)](https://man7.org/linux/man-pages/man3/malloc_trim.3.html)
    private static let trim = dlsym(nil, "malloc_trim")
        .map { unsafeBitCast($0, to: (@convention(c) (Int) -> CInt).self) }

    private static func openFileCount() -> Int? {
        // The folder itself is open while it is read.
        (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")).map { $0.count - 1 }
    }

    private static var swiftVersion: String {
        #if compiler(>=6.4)
            "6.4 or later"
        #elseif compiler(>=6.3)
            "6.3"
        #else
            "6.2"
        #endif
    }

    private static var configuration: String {
        #if DEBUG
            "debug"
        #else
            "release"
        #endif
    }
}
