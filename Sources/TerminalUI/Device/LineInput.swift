import Foundation

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Standard input, line by line, from a terminal, a pipe or a file.
package final class LineInput: Sendable {
    /// The longest line, in bytes; the rest of a longer one is dropped.
    package static let maximumLineByteCount = 4096

    /// The lines without their line ends; the stream ends with the input.
    package let lines: AsyncStream<String>
    private let descriptor: Int32
    private let attributes: termios?

    package init(descriptor: Int32 = STDIN_FILENO) {
        self.descriptor = descriptor
        attributes = SystemLibrary.attributes(of: descriptor)
        let (lines, continuation) = AsyncStream.makeStream(of: String.self)
        self.lines = lines
        if let attributes {
            TerminalRescue.prepare(
                input: descriptor,
                output: STDOUT_FILENO,
                attributes: attributes,
                signalPipe: -1
            )
        }
        Thread.detachNewThread { Self.read(descriptor, continuation) }
    }

    /// Whether the input is a terminal, which shows a typed password.
    package var isTerminal: Bool { attributes != nil }

    /// Shows or hides typed characters, for a password; does nothing for a pipe.
    package func setEcho(_ isOn: Bool) {
        guard var attributes else { return }
        if !isOn { attributes.c_lflag &= ~tcflag_t(ECHO) }
        SystemLibrary.set(attributes, of: descriptor)
    }

    private static func read(_ descriptor: Int32, _ continuation: AsyncStream<String>.Continuation)
    {
        var line: [UInt8] = []
        while let bytes = SystemLibrary.read(descriptor) {
            for byte in bytes {
                if byte == UInt8(ascii: "\n") {
                    continuation.yield(text(line))
                    line = []
                } else if line.count < maximumLineByteCount {
                    line.append(byte)
                }
            }
        }
        if !line.isEmpty { continuation.yield(text(line)) }
        continuation.finish()
    }

    private static func text(_ line: [UInt8]) -> String {
        let isEnded = line.last == UInt8(ascii: "\r")
        return String(decoding: isEnded ? line.dropLast() : line[...], as: UTF8.self)
    }
}
