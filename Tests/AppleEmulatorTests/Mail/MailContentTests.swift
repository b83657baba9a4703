import AppleIdentity
import Foundation
import Testing

@testable import AppleEmulator

/// Reading what a mail says.
struct MailContentTests {
    private func content(_ lines: String...) -> MailContent {
        MailContent(Data(lines.map { $0 + "\r\n" }.joined().utf8))
    }

    @Test func partsTextPageAndAttachment() {
        let content = content(
            "Content-Type: multipart/mixed; boundary=\"a b;c\"",
            "",
            "preamble",
            "--a b;c",
            "Content-Type: multipart/alternative; boundary=in",
            "",
            "--in",
            "Content-Type: text/plain; charset=iso-8859-1",
            "Content-Transfer-Encoding: quoted-printable",
            "",
            "K=E4se=",
            " und Brot",
            "--in",
            "Content-Type: text/html; charset=utf-8",
            "Content-Transfer-Encoding: base64",
            "",
            "PGI+SsO8cmc8L2I+",
            "--in--",
            "--a b;c",
            "Content-Type: application/pdf",
            "Content-Disposition: attachment; filename=\"=?utf-8?Q?=C3=84pfel.pdf?=\"",
            "",
            "123",
            "--a b;c--",
            "epilogue"
        )
        #expect(content.text == "Käse und Brot" && content.html == "<b>Jürg</b>")
        #expect(content.attachments.map(\.name) == ["Äpfel.pdf"])
        #expect(content.attachments.map(\.byteCount) == [3])
    }

    @Test func namesOfAttachmentsInOtherAlphabets() {
        let type = MailContentType("attachment; filename*=utf-8''%C3%A4%3D.pdf; x*=a; filename=b")
        #expect(type.parameters["filename"] == "ä=.pdf" && type.parameters["x*"] == "a")
    }

    @Test func namesInPieces() {
        let type = MailContentType(
            "attachment; filename*1*=%A4b; filename*0*=utf-8''a%C3; filename*2=\"%.pdf\"; x*0=1; x*1=2"
        )
        #expect(type.parameters["filename"] == "aäb%.pdf" && type.parameters["x"] == "12")
        let gap = MailContentType("a; x*1=b; y*0=c; y*2=d; z*100=e")
        #expect(gap.parameters["x"] == nil && gap.parameters["y"] == "c")
    }

    @Test func commentsAreLeftOut() {
        let type = MailContentType("text/plain (a \\) (b; c=d)); charset=us-ascii (Plain; text)")
        #expect(type.value == "text/plain" && type.parameters == ["charset": "us-ascii"])
        #expect(MailContentType("a; filename=b(1).pdf").parameters["filename"] == "b(1).pdf")
        let content = content("Content-Transfer-Encoding: Base64 (of course)", "", "w6Q=")
        #expect(content.text == "ä")
    }

    @Test(arguments: [("w6Q", "ä"), ("w6Qh\r\nIQ", "ä!!"), ("w6Q=\r\nrest", "ä"), ("YWI-h", "ab!")])
    func base64IsReadAsFarAsItGoes(body: String, text: String) {
        #expect(content("Content-Transfer-Encoding: base64", "", body).text == text)
    }

    @Test func partsWithinPartsAreFoundAmongManyLines() {
        var text = "Content-Type: text/plain\r\n\r\n" + String(repeating: "\r\n", count: 10_000)
        for depth in 0..<(MailContent.maximumDepth - 1) {
            text =
                "Content-Type: multipart/mixed; boundary=b\(depth)\r\n\r\n--b\(depth)\r\n\(text)"
                + "\r\n--b\(depth)--\r\n"
        }
        #expect(MailContent(Data(text.utf8)).text == String(repeating: "\r\n", count: 10_000))
    }

    @Test func soManyLinesThatMayBeginAPartAreLookedAt() {
        let head = "Content-Type: multipart/mixed; boundary=b\r\n\r\n"
        let rest = "--b\r\n\r\nx\r\n--b--\r\n"
        let lines = String(repeating: "--\r\n", count: MailParts.maximumHyphenLineCount)
        #expect(MailContent(Data((head + lines + rest).utf8)).text == nil)
        #expect(MailContent(Data((head + lines.dropFirst(8) + rest).utf8)).text == "x")
    }

    @Test func headersHaveSoManyFieldsAndValuesSoManyBytes() {
        let fields = String(repeating: "A: b\r\n", count: MailHeader.maximumFieldCount)
        let full = MailHeader(Data((fields + "\r\nx").utf8))
        #expect(full.fields.count == MailHeader.maximumFieldCount && !full.hasTooManyFields)
        let over = MailHeader(Data((fields + "C: d\r\n\r\nx").utf8))
        #expect(over.fields.count == MailHeader.maximumFieldCount && over.hasTooManyFields)
        #expect(over.bodyOffset == fields.utf8.count + 8)
        for letter in ["a", "é"] {
            let long = "x" + String(repeating: letter, count: MailHeaderText.maximumByteCount)
            let shown = MailHeaderText.decoded(long)
            #expect(shown.hasSuffix("…") && shown.utf8.count <= MailHeaderText.maximumByteCount + 8)
        }
    }

    @Test func olderMailHasWhiteSpaceBeforeTheColon() {
        let header = MailHeader(Data("From : a@b.c\r\nTo\t: d@e.f\r\n\r\nx".utf8))
        #expect(header.first("From") == "a@b.c" && header.first("To") == "d@e.f")
    }

    @Test func mailboxesInAList() {
        let boxes = MailMailbox.all(in: "\"A, B\" <a@b.c>, nobody, d@e.f")
        #expect(boxes.map(\.address.text) == ["a@b.c", "d@e.f"])
        let many = Array(repeating: "a@b.c", count: 30).joined(separator: ",")
        #expect(MailMailbox.all(in: many).count == MailMailbox.maximumCount)
    }

    @Test func whatIsBrokenIsShownAsFarAsItGoes() {
        #expect(content("Content-Type: multipart/mixed", "", "x").attachments.count == 1)
        #expect(
            content("Content-Type: multipart/mixed; boundary=b", "", "--b", "", "x").text != nil
        )
        #expect(content("Content-Transfer-Encoding: quoted-printable", "", "a=Gb=").text == "a=Gb")
        #expect(content("no header at all").text == "no header at all\r\n")
        #expect(content("Content-Type: text/plain; charset=klingon", "", "é").text == "é\r\n")
    }

    @Test func partsAreNotReadWithoutEnd() {
        var text = "x"
        for depth in 0..<20 {
            text = "Content-Type: multipart/mixed; boundary=b\(depth)\r\n\r\n--b\(depth)\r\n" + text
        }
        #expect(MailContent(Data(text.utf8)).text == nil)
        let many = String(repeating: "--b\r\n\r\nx\r\n", count: 1_000)
        let head = "Content-Type: multipart/mixed; boundary=b\r\n\r\n"
        #expect(
            MailContent(Data((head + many).utf8)).attachments.count < MailContent.maximumPartCount
        )
    }

    @Test(arguments: [
        ("plain", "plain"), ("=?utf-8?q?a_b=21?=", "a b!"),
        ("=?UTF-8?B?w6Q=?= =?utf-8?b?w7Y=?= x", "äö x"), ("=?iso-8859-1*de?Q?=E4?=", "ä"),
        ("=?utf-8?x?a?=", "=?utf-8?x?a?="), ("=?utf-8?b?!!?=", "=?utf-8?b?!!?="),
        ("a =? b", "a =? b"), ("=?utf-8?q?open", "=?utf-8?q?open"),
    ])
    func encodedWords(value: String, text: String) {
        #expect(MailHeaderText.decoded(value) == text)
    }

    @Test(arguments: ["plain", "Äpfel", String(repeating: "日本語", count: 60), "a =?b?= c"])
    func wordsAreWrittenAsTheyAreRead(text: String) {
        let encoded = MailHeaderText.encoded(text)
        #expect(encoded.split(separator: "\r\n").allSatisfy { $0.utf8.count <= 76 })
        #expect(MailHeaderText.decoded(encoded.replacing("\r\n", with: "")) == text)
    }

    @Test func headersAreUnfolded() {
        let header = MailHeader(Data("A: 1\r\n two\r\na: 3\r\nbad line\r\nB: 4\r\n\r\nx".utf8))
        #expect(header.all("a") == ["1 two", "3"] && header.first("B") == nil)
        #expect(header.bodyOffset == 18)
    }

    @Test(arguments: [
        ("a@b.example", "", "a@b.example"), ("Ann <a@b.example>", "Ann", "a@b.example"),
        ("\"Ann, B. <x>\" <a@b.example>", "\"Ann, B. <x>\"", "a@b.example"),
        ("a@b.example (Ann (B))", "", "a@b.example"),
    ])
    func mailboxes(value: String, phrase: String, address: String) {
        let box = MailMailbox(value)
        #expect(box?.phrase == phrase && box?.address.text == address)
    }

    @Test(arguments: [
        "", "a@b.example, c@d.example", "Ann <a@b.example", "a@b.example>", "<a@b> <c@d>",
        "\"open <a@b.example>", "Group: a@b.example;", "(open a@b.example",
    ])
    func whatIsNoMailbox(value: String) { #expect(MailMailbox(value) == nil) }

    @Test(arguments: [
        "a@b", "first.last+tag@mail.example.com", "\"a b\\\"c\"@b.example", "ä@ö.example",
        "a@[127.0.0.1]",
    ])
    func addresses(text: String) { #expect(MailAddress(text)?.text == text) }

    @Test(arguments: [
        "", "@", "a@", "@b", "a", "a b@c", ".a@b", "a.@b", "a..b@c", "a@b..c", "a@-b", "a@b\r\n",
        "a\r\nb@c", "\"a@b", "\"a\"b\"@c", "<a@b>", "a@[b c]", "a@b c", "\u{0}@b",
        String(repeating: "a", count: 65) + "@b", "a@" + String(repeating: "b", count: 253),
    ])
    func whatIsNoAddress(text: String) { #expect(MailAddress(text) == nil) }

    @Test func datesAreSpelledAsInMail() {
        let date = Date(timeIntervalSince1970: 880_106_106)
        #expect(date.mailText == "Fri, 21 Nov 1997 09:55:06 +0000")
    }
}
