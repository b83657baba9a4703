import Foundation

/// Linux's figures of a process; none on other systems.
struct ProcessFigures {
    /// Whether this system provides figures.
    static let areTold = current.residentMegabytes != nil
    /// Those of this process.
    static let current = ProcessFigures(of: ProcessInfo.processInfo.processIdentifier)

    private let folder: String

    init(of process: Int32) {
        folder = "/proc/\(process)/"
    }

    /// The processor time of all its threads so far, user's and system's, in seconds.
    ///
    /// Source: [proc_pid_stat(5)](https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html)
    var processorSeconds: Double? {
        // The name in brackets may have blanks in it; the numbers that count come after it.
        guard let text = try? String(contentsOfFile: folder + "stat", encoding: .utf8),
            let fields = text.split(separator: ")").last?.split(separator: " "), fields.count > 12,
            let user = Double(fields[11]), let system = Double(fields[12])
        else { return nil }
        return (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
    }

    /// The memory that it holds now.
    var residentMegabytes: Double? { megabytes("VmRSS") }

    /// What of it is no part of a file: heap and stacks.
    var anonymousMegabytes: Double? { megabytes("RssAnon") }

    /// The most memory that it has held.
    var mostResidentMegabytes: Double? { megabytes("VmHWM") }

    private func megabytes(_ name: String) -> Double? {
        guard let text = try? String(contentsOfFile: folder + "status", encoding: .utf8),
            let line = text.split(separator: "\n").first(where: { $0.hasPrefix(name + ":") }),
            let kilobytes = line.split(whereSeparator: \.isWhitespace).dropFirst().first
        else { return nil }
        return Double(kilobytes).map { $0 / 1_024 }
    }
}
