import JuiceApp
import Testing

@testable import siwa

/// Pages of `siwa app` as plain lines, and the meaning of answers.
@Suite("Pages in plain lines") struct ConversationTextTests {
    @Test("Choices are numbered with their fields, and texts are cleaned") func lines() {
        let page = TerminalPage<Int>(
            title: "Result",
            problem: JuiceProblem(sentence: "It broke.", nextStep: "Mend it.", code: "broken"),
            items: [
                .fact(label: "Name", value: "Maya\u{1B}[2J"), .action(label: "Sign out", 0),
                .heading(""),
                .action(
                    label: "Save",
                    1,
                    fields: [.text("user", "Username", "no\u{7}or"), .secret("key", "Password")]
                ),
            ]
        )
        #expect(
            ConversationText.lines(of: page).map { $0.start + $0.text } == [
                "", "== Juice: Result ==", "Problem: It broke. Mend it.", "", "Name: Maya[2J", "",
                "  1. Sign out", "", "  2. Save (Username: noor, Password)",
            ]
        )
        #expect(page.choices.map(\.action) == [0, 1])
    }

    @Test("A choice has a number and a name", arguments: [("2", 1), (" save ", 1), ("SAVE", 1)])
    func choice(line: String, index: Int) {
        #expect(ConversationText.choice(line, of: ["Sign out", "Save"]) == index)
    }

    @Test(
        "Any other line selects no choice",
        arguments: ["", "0", "3", "-1", "Sav", "99999999999999999999"]
    )
    func noChoice(line: String) {
        #expect(ConversationText.choice(line, of: ["Sign out", "Save"]) == nil)
    }

    @Test("Enter keeps a value, a hyphen clears it") func values() {
        #expect(ConversationText.value("", instead: "Maya") == "Maya")
        #expect(ConversationText.value("-", instead: "Maya") == "")
        #expect(ConversationText.value(" Mia\u{7} ", instead: "Maya") == "Mia")
    }
}
