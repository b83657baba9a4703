import Foundation

/// Finds the process that has locked a file.
enum LockHolder {
    /// Describes the process that has locked a file.
    ///
    /// Linux lists all locks with process and file; on other systems, only an attempt to lock shows that there is one.
    ///
    /// - Parameter path: the lock file.
    /// - Returns: such as `process 4711 (siwa)`; nil when the file is not locked.
    static func find(path: String) -> String? {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        guard let number = (attributes?[.systemFileNumber] as? NSNumber)?.uint64Value else {
            return nil
        }
        if let process = process(holding: number) { return process }
        return (try? FileLock(path: path)) == nil ? "another process" : nil
    }

    /// Reads the system's list of locks.
    ///
    /// Source: [proc_locks(5)](https://man7.org/linux/man-pages/man5/proc_locks.5.html)
    private static func process(holding file: UInt64) -> String? {
        let lines = text("/proc/locks").split(separator: "\n")
        for line in lines {
            // 1: FLOCK  ADVISORY  WRITE 4711 08:01:12345 0 EOF
            let words = line.split(separator: " ")
            guard words.count >= 6, words[1] == "FLOCK", let process = Int(words[4]),
                words[5].split(separator: ":").last.flatMap({ UInt64($0) }) == file
            else { continue }
            let name = text("/proc/\(process)/comm").trimmingCharacters(in: .whitespacesAndNewlines)
            return name.isEmpty ? "process \(process)" : "process \(process) (\(name))"
        }
        return nil
    }

    /// Files in `/proc` report no size, so this reads them to their end.
    private static func text(_ path: String) -> String {
        let handle = FileHandle(forReadingAtPath: path)
        defer { try? handle?.close() }
        let data = try? handle?.readToEnd()
        return String(decoding: data ?? Data(), as: UTF8.self)
    }
}
