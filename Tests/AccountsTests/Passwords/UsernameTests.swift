import Accounts
import Foundation
import Testing

@Suite("Usernames") struct UsernameTests {
    @Test(
        "that differ only in spelling are equal",
        arguments: [
            ("Ｍａｙａ", "maya"), ("MAYA", "maya"), (" maya\n", "maya"), ("STRASSE", "straße"),
            ("ZOË", "zoe\u{308}"), ("ﬁona", "fiona"), ("ΝΙΚΟΛΑΣ", "νικολας"),
            ("Maya@Example.COM", "maya@example.com"), ("ﾏﾔ太郎", "マヤ太郎"), ("Kelvin", "kelvin"),
        ]
    )
    func folded(_ one: String, _ other: String) throws {
        #expect(try Username(one).text == Username(other).text)
        // What is stored is read back as itself.
        let text = try Username(one).text
        #expect(try Username(text).text == text)
    }

    @Test(
        "may be names in any writing system",
        arguments: [
            "maya", "maya.lindgren", "a-b_c+d", "007", "zoë", "łukasz", "анна", "вова", "сергей",
            "ελένη", "کاوه", "محمد", "արամ", "օրօր_արեւ", "ከበደ", "გიორგი", "ᐃᓄᒃ", "བཀྲཤིས",
            "佐藤さくら", "maya佐藤", "김민수", "maya김", "สมชาย", "नरेंद्र", "דוד12",
            "maya@example.com", "m+tag@mail.example.co.uk",
        ]
    )
    func accepted(_ name: String) throws {
        #expect(try Username(name).text == name.precomposedStringWithCompatibilityMapping)
    }

    @Test("have 3 to 64 characters in their folded form, independent of their bytes")
    func lengths() throws {
        for name in ["abc", String(repeating: "a", count: 64), String(repeating: "김", count: 64)] {
            #expect(throws: Never.self) { try Username(name) }
        }
        let mistaken = [
            "", " ", "ab", "김민", String(repeating: "a", count: 65),
            // One typed character of three letters is three.
            String(repeating: "a", count: 62) + "ﬃ", String(repeating: "a", count: 10_000_000),
            String(repeating: " ", count: 2000) + "maya",
        ]
        for name in mistaken { expect(.length, name) }
        #expect(try Username("ﬃ").text == "ffi")
    }

    @Test(
        "have no invisible character, and only letters, digits and some punctuation",
        arguments: [
            "ma ya", "ma\u{0}ya", "maya\u{0}", "\u{202E}ayam", "may\u{200F}a", "may\u{200B}a",
            "ma\u{AD}ya", "may\u{FE0F}a", "maya\u{E0100}", "ma\u{34F}ya", "ma\u{115F}ya",
            "ma\u{3164}ya",
            "김\u{FFA0}민수", "maya<script>", "maya'--", "maya\"", "maya/..", "maya🍊", "½½½", "٣٤٥",
            "\u{301}\u{301}\u{301}", "\u{301}maya", "maya\r\nBcc", "a\u{FFFD}bc",
        ]
    )
    func characters(_ name: String) {
        expect(.characters, name)
    }

    @Test(
        "neither start nor end with punctuation",
        arguments: [".maya", "maya.", "-maya", "maya-", "_maya", "maya_", "+maya", "maya+", "..."]
    )
    func punctuation(_ name: String) {
        expect(.characters, name)
    }

    @Test(
        "that could be taken for others are refused",
        arguments: [
            // Cyrillic а in a Latin name; then names wholly of letters that look Latin
            "mаya", "аррӏе", "сор", "ρουα", "հոսօ", "mɑya", "ɡɑɡɑ", "ᴍᴀʏᴀ", "αβγmaya", "김аррӏе",
            "мaя佐藤",
            // Georgian beside Myanmar, Hebrew beside Armenian share a block of 128
            "კაიကက", "դավդדוד",
        ]
    )
    func confusable(_ name: String) {
        expect(.confusable, name)
    }

    @Test(
        "with an @ are email addresses",
        arguments: [
            "@maya", "maya@", "maya@example", "maya@@example.com", "a@b@example.com",
            "maya@example..com", "maya@-example.com", ".maya@example.com", "ma..ya@example.com",
            "maya@example.com\nbcc@example.com", "ma ya@example.com", "\"maya\"@example.com",
            "maya@[192.0.2.1]", String(repeating: "a", count: 65) + "@example.com",
            "maya@" + String(repeating: "a", count: 64) + ".com", "maya@exam\u{202E}ple.com",
        ]
    )
    func addresses(_ name: String) {
        expect(.address, name)
    }

    @Test("that are email addresses have at most 254 bytes")
    func longAddresses() throws {
        let label = String(repeating: "a", count: 63)
        let domain = [label, label, label, String(repeating: "b", count: 57)].joined(separator: ".")
        let longest = "maya@" + domain
        #expect(longest.utf8.count == 254)
        #expect(try Username(longest).isAddress)
        expect(.length, "x" + longest)
    }

    private func expect(_ mistake: Username.Mistake, _ name: String) {
        let error = #expect(throws: Username.Mistake.self) { try Username(name) }
        #expect(error == mistake, "\(name.prefix(80).debugDescription)")
    }
}
