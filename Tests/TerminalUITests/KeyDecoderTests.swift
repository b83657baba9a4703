import Testing

@testable import TerminalUI

/// Complete, split and malformed bytes of a terminal.
@Suite("Keys of a terminal") struct KeyDecoderTests {
    private func keys(_ text: String) -> [Key] {
        var decoder = KeyDecoder()
        return decoder.read(text.utf8) + decoder.finish()
    }

    @Test(
        "Each key is recognized by the sequence of xterm",
        arguments: [
            ("\r", Key.enter), ("\n", .enter), ("\t", .tab), ("\u{1B}[Z", .backTab),
            ("\u{7F}", .backspace), ("\u{8}", .control("h")), ("\u{1B}[3~", .delete),
            ("\u{1B}[A", .up), ("\u{1B}OA", .up), ("\u{1B}[B", .down), ("\u{1B}[C", .right),
            ("\u{1B}[D", .left), ("\u{1B}[1;5D", .left), ("\u{1B}[H", .home), ("\u{1B}[1~", .home),
            ("\u{1B}[F", .end), ("\u{1B}[4~", .end), ("\u{1B}[5~", .pageUp),
            ("\u{1B}[6~", .pageDown), ("\u{1B}", .escape), ("\u{3}", .control("c")),
            ("a", .text("a")), ("é", .text("é")), ("家", .text("家")), ("👩‍🚀", .text("👩‍🚀")),
        ]
    )
    func known(sent: String, key: Key) {
        let expected = sent == "\u{8}" ? .backspace : key
        #expect(keys(sent) == [expected])
    }

    @Test("Bytes split anywhere are the same keys") func cut() {
        let sent = Array("é\u{1B}[A家\u{1B}[200~x\r\ny\u{1B}[201~\u{1B}[1;2C👩‍🚀".utf8)
        let whole: [Key] = [.text("é"), .up, .text("家"), .paste("x\r\ny"), .right, .text("👩‍🚀")]
        for position in 0...sent.count {
            var decoder = KeyDecoder()
            let found = decoder.read(sent[..<position]) + decoder.read(sent[position...])
            #expect(joined(found) == whole)
        }
    }

    @Test("A single mark joins only the text before it") func mark() {
        #expect(keys("e\u{301}") == [.text("é")])
    }

    @Test("A single escape is the Esc key; a second one is a second key") func escape() {
        var decoder = KeyDecoder()
        #expect(decoder.read([0x1B]).isEmpty)
        #expect(decoder.isWaiting)
        #expect(decoder.finish() == [.escape])
        #expect(!decoder.isWaiting)
        #expect(keys("\u{1B}\u{1B}") == [.escape, .escape])
        #expect(keys("\u{1B}x") == [])
    }

    @Test(
        "Unknown bytes are dropped, and the next key is read",
        arguments: [
            [0xFF], [0xC3, 0x28], [0xED, 0xA0, 0x80], [0xF8, 0x88], [0x80], [0xC2, 0x9B], [0],
            Array("\u{1B}[99~".utf8), Array("\u{1B}[?1;2c".utf8), Array("\u{1B}[200".utf8) + [0x7],
            Array("\u{1B}[".utf8) + Array(repeating: 0x31, count: 30),
        ] as [[UInt8]]
    )
    func dropped(sent: [UInt8]) {
        var decoder = KeyDecoder()
        let found = decoder.read(sent + Array("ok".utf8)) + decoder.finish()
        #expect(found.last.map { [.text("ok"), .text("(ok")].contains($0) } == true)
    }

    @Test("A long paste is cut at its limit, and its end is still found") func longPaste() {
        let limit = KeyDecoder.maximumPasteByteCount
        let long = String(repeating: "a", count: limit + 100)
        let found = keys("\u{1B}[200~\(long)\u{1B}[201~\r")
        #expect(found == [.paste(String(repeating: "a", count: limit)), .enter])
    }

    @Test("Sequences inside a paste are text, not keys") func sequenceInPaste() {
        #expect(
            keys("\u{1B}[200~a\u{1B}[Ab\u{1B}[20\u{1B}[201~")
                == [.paste("a\u{1B}[Ab\u{1B}[20")]
        )
    }

    private func joined(_ keys: [Key]) -> [Key] {
        keys.reduce(into: []) { joined, key in
            if case .text(let more) = key, case .text(let text) = joined.last {
                joined[joined.count - 1] = .text(text + more)
            } else {
                joined.append(key)
            }
        }
    }
}
