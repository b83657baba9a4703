import Foundation
import Testing

@testable import TerminalUI

/// A pseudo-terminal in raw mode, and restored.
@Suite("Raw mode of a terminal", .serialized) struct TerminalTests {
    @Test("Keys arrive one by one, and the terminal is restored afterwards")
    func wholeLife() async throws {
        let pair = try PseudoTerminal()
        let before = try #require(SystemLibrary.attributes(of: pair.program))
        let terminal = try Terminal(input: pair.program, output: pair.program)
        let during = try #require(SystemLibrary.attributes(of: pair.program))
        #expect(during.c_lflag & tcflag_t(ECHO | ICANON | ISIG) == 0)
        #expect(throws: TerminalFailure.inUse) {
            try Terminal(input: pair.program, output: pair.program)
        }
        SystemLibrary.write(Array("ö\u{1B}[A\u{3}".utf8), to: pair.person)
        var events: [TerminalEvent] = []
        for await event in terminal.events {
            events.append(event)
            if events.count == 3 { break }
        }
        #expect(events == [.key(.text("ö")), .key(.up), .key(.control("c"))])
        terminal.close()
        let after = try #require(SystemLibrary.attributes(of: pair.program))
        #expect(after.c_lflag == before.c_lflag)
        #expect(after.c_iflag == before.c_iflag)
        let shown = String(decoding: pair.shownUntilEnd(), as: UTF8.self)
        #expect(shown.hasPrefix("\u{1B}[?1049h"))
        #expect(shown.hasSuffix("\u{1B}[?1049l"))
    }

    @Test("A closed terminal ends the events") func hangUp() async throws {
        let pair = try PseudoTerminal()
        let terminal = try Terminal(input: pair.program, output: pair.program)
        pair.hangUp()
        var last: TerminalEvent?
        for await event in terminal.events {
            last = event
            if event == .ended { break }
        }
        #expect(last == .ended)
        terminal.close()
    }

    @Test("A file is not a terminal") func file() throws {
        let descriptor = open("/dev/null", O_RDWR)
        defer { SystemLibrary.close(descriptor) }
        #expect(throws: TerminalFailure.notTerminal) {
            try Terminal(input: descriptor, output: descriptor)
        }
    }

    @Test("Lines arrive without their line ends, and a long one is cut") func lines() async throws {
        let pipe = Pipe()
        let long = String(repeating: "a", count: LineInput.maximumLineByteCount + 10)
        try pipe.fileHandleForWriting.write(contentsOf: Data("one\r\n\(long)\nlast".utf8))
        try pipe.fileHandleForWriting.close()
        let input = LineInput(descriptor: pipe.fileHandleForReading.fileDescriptor)
        #expect(!input.isTerminal)
        var lines: [String] = []
        for await line in input.lines { lines.append(line) }
        #expect(lines.map(\.count) == [3, LineInput.maximumLineByteCount, 4])
    }
}

/// Both ends of a pseudo-terminal.
private final class PseudoTerminal {
    let person: Int32
    let program: Int32

    init() throws {
        #if canImport(Darwin)
            person = posix_openpt(O_RDWR | O_NOCTTY)
            guard person >= 0, grantpt(person) == 0, unlockpt(person) == 0,
                let name = ptsname(person).map({ String(cString: $0) })
            else { throw TerminalFailure.system(errno) }
        #else
            // Like unlockpt and ptsname: TIOCSPTLCK and TIOCGPTN, which are macros in C (tty_ioctl(4)).
            person = open("/dev/ptmx", O_RDWR | O_NOCTTY)
            var lock: Int32 = 0
            var number: UInt32 = 0
            guard person >= 0, ioctl(person, 0x4004_5431, &lock) == 0,
                ioctl(person, 0x8004_5430, &number) == 0
            else { throw TerminalFailure.system(errno) }
            let name = "/dev/pts/\(number)"
        #endif
        program = open(name, O_RDWR | O_NOCTTY)
        guard program >= 0 else { throw TerminalFailure.system(errno) }
    }

    private var (isHungUp, hasEnded) = (false, false)

    func hangUp() {
        isHungUp = true
        SystemLibrary.close(person)
    }

    /// Stops the program, and returns its output, which the system delivers in parts.
    func shownUntilEnd() -> [UInt8] {
        hasEnded = true
        SystemLibrary.close(program)
        var shown: [UInt8] = []
        while let part = SystemLibrary.read(person) { shown += part }
        return shown
    }

    deinit {
        if !isHungUp { SystemLibrary.close(person) }
        if !hasEnded { SystemLibrary.close(program) }
    }
}
