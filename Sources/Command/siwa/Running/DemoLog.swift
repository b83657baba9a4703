import AppleIdentity
import Foundation
import Logging

/// The log of a demo: each line goes to a file, and each event to the report on the terminal.
struct DemoLog: Sendable {
    /// The number of events that may wait for the report.
    private static let maximumEventCount = 1_000

    /// The file, relative to the working directory if the folder is.
    let path: String
    let events: AsyncStream<LoggedEvent>
    private let file: FileHandle
    private let sink: AsyncStream<LoggedEvent>.Continuation

    /// Begins a new file in the demo's folder.
    init(in folder: DemoFolder) throws {
        _ = try folder.write("", named: "demo.log")
        path = folder.url.appending(path: "demo.log").relativePath
        guard let file = FileHandle(forWritingAtPath: path) else {
            throw CommandFailure("can't write \(path)", hint: "give a writable folder with --data")
        }
        self.file = file
        (events, sink) = AsyncStream.makeStream(
            bufferingPolicy: .bufferingNewest(Self.maximumEventCount)
        )
    }

    func logger(_ label: String) -> Logger {
        Logger(label: label) { EventLogHandler(label: $0, write: add) }
    }

    private func add(_ event: LoggedEvent) {
        let words = event.metadata.sorted { $0.key < $1.key }.map { " \($0.key)=\($0.value)" }
        let time = TimeSource.live.now.formatted(.iso8601)
        let line = "\(time) \(event.level) \(event.label): \(event.message)\(words.joined())"
        // On a full disk, the demo continues without its log.
        try? file.write(contentsOf: Data((line + "\n").utf8))
        sink.yield(event)
    }
}
