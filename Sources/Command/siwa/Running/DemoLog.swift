import AppleIdentity
import Foundation
import Logging

/// The log of a demo: each line goes to a file, and each event to the report on the terminal.
struct DemoLog: Sendable {
    /// The number of events that may wait for the report.
    private static let maximumEventCount = 1_000

    /// A log event with the metadata as text.
    struct Event: Sendable {
        let level: Logger.Level
        let message: String
        let metadata: [String: String]
    }

    /// The file, relative to the working directory if the folder is.
    let path: String
    let events: AsyncStream<Event>
    private let file: FileHandle
    private let sink: AsyncStream<Event>.Continuation

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
        Logger(label: label) { DemoLogHandler(label: $0, log: self) }
    }

    fileprivate func add(_ event: Event, label: String) {
        let words = event.metadata.sorted { $0.key < $1.key }.map { " \($0.key)=\($0.value)" }
        let time = TimeSource.live.now.formatted(.iso8601)
        let line =
            "\(time) \(event.level) \(label): \(event.message)\(words.joined())"
        // On a full disk, the demo continues without its log.
        try? file.write(contentsOf: Data((line + "\n").utf8))
        sink.yield(event)
    }
}

private struct DemoLogHandler: LogHandler {
    let label: String
    let log: DemoLog
    var metadata: Logger.Metadata = [:]
    var metadataProvider: Logger.MetadataProvider?
    var logLevel = Logger.Level.info

    init(label: String, log: DemoLog) {
        self.label = label
        self.log = log
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let provided = metadataProvider?.get() ?? [:]
        let all = metadata.merging(provided) { $1 }.merging(event.metadata ?? [:]) { $1 }
        let texts = all.mapValues { "\($0)" }
        log.add(
            DemoLog.Event(level: event.level, message: "\(event.message)", metadata: texts),
            label: label
        )
    }
}
