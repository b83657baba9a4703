import Foundation
import NIOCore
import Testing

@testable import AppleEmulatorServer

// Fidelity: mail-21
/// Commands and messages are cut at CR LF, and at nothing else.
@Suite struct SMTPReaderTests {
    private func events(_ chunks: [String], maximumCount: Int = 1_000_000) -> [SMTPReader.Event] {
        var reader = SMTPReader(maximumMessageByteCount: maximumCount)
        var events: [SMTPReader.Event] = []
        for chunk in chunks {
            reader.append(ByteBuffer(string: chunk))
            while let event = reader.next() {
                events.append(event)
                if event == .command(Array("DATA".utf8)) { reader.expectMessage() }
                if event == .bareLineEnd || event == .flood { return events }
            }
        }
        return events
    }

    @Test func piecesMakeTheSameAsTheWhole() {
        let text = "EHLO a\r\nDATA\r\n..x\r\n.y\r\n\r\n.\r\nQUIT\r\n"
        let whole = events([text])
        #expect(
            whole == [
                .command(Array("EHLO a".utf8)), .command(Array("DATA".utf8)),
                .message(Data(".x\r\ny\r\n\r\n".utf8)), .command(Array("QUIT".utf8)),
            ]
        )
        #expect(events(text.unicodeScalars.map { String($0) }) == whole)
    }

    @Test(arguments: [
        "NOOP\n", "NOOP\rQUIT\r\n", "\n", "\r\r\n", "DATA\r\nx\n.\r\n", "DATA\r\nx\r\n.\nQUIT\r\n",
        "DATA\r\nx\r\n.\rQUIT\r\n", "DATA\r\nx\r.\r\n.\r\n",
    ])
    func aLineEndByItselfEndsIt(text: String) { #expect(events([text]).last == .bareLineEnd) }

    @Test func limits() {
        let long = String(repeating: "a", count: 998)
        #expect(events(["DATA\r\n\(long)\r\n.\r\n"]).last == .message(Data((long + "\r\n").utf8)))
        #expect(events(["DATA\r\na\(long)\r\n.\r\n"]).last == .lineTooLong)
        #expect(events(["DATA\r\n\(long)", "\(long)", "\(long)\r\n.\r\n"]).last == .lineTooLong)
        let dotted = "DATA\r\n..\(long.dropFirst())\r\n.\r\n"
        #expect(events([dotted]).last == .message(Data((".\(long.dropFirst())\r\n").utf8)))
        #expect(events(["DATA\r\n..\(long)\r\n.\r\n"]).last == .lineTooLong)
        let lines = String(repeating: "\(long)\r\n", count: 3)
        #expect(events(["DATA\r\n\(lines).\r\n"], maximumCount: 2_999).last == .messageTooBig)
        #expect(events(["DATA\r\n\(lines).\r\n"], maximumCount: 3_000).last != .messageTooBig)
        #expect(events(["DATA\r\n\(lines)"], maximumCount: 1_000).last == .flood)
        let flood = Array(repeating: long + long, count: 4)
        #expect(events(["DATA\r\n"] + flood, maximumCount: 1_000).last == .flood)
        let command = String(repeating: "a", count: 1_023)
        #expect(events([command + "\r\nNOOP\r\n"]).first == .commandTooLong)
        #expect(events([command + command, "\r\nNOOP\r\n"]).last == .command(Array("NOOP".utf8)))
    }
}
