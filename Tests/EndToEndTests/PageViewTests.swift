import JuiceApp
import TerminalUI
import Testing

@testable import siwa

/// Keys of a user on one page.
@Suite("Pages on a screen") struct PageViewTests {
    private static let page = Page<Int>(
        name: "login",
        title: "Sign in",
        problem: JuiceProblem(sentence: "It broke.", nextStep: "Mend it.", code: "broken"),
        items: [
            .text("A long text that is broken into lines where the window is narrow."),
            .action(label: "Apple", 0),
            .form(
                [
                    PageField(name: "user", label: "Username", value: "noor"),
                    PageField(name: "password", label: "Password", kind: .secret),
                    PageField(
                        name: "email",
                        label: "Email",
                        value: "a",
                        kind: .choice(["a", "b"])
                    ),
                ],
                label: "Sign in",
                1
            ),
            .fact(label: "Name", value: "Maya\u{1B}[2J 家"),
        ],
        cancel: 2
    )

    @Test("Tab cycles, Enter moves through a form and submits it") func moving() {
        var view = PageView(Self.page)
        #expect(view.handle(.enter) == .chose(0))
        #expect(view.handle(.tab) == .stays)
        #expect(view.handle(.text("y")) == .stays)
        #expect(view.values["user"] == "noory")
        #expect(view.handle(.enter) == .stays)
        _ = view.handle(.paste("se cret\n"))
        #expect(view.values["password"] == "se cret")
        _ = view.handle(.down)
        _ = view.handle(.right)
        #expect(view.values["email"] == "b")
        #expect(view.handle(.enter) == .chose(1))
        #expect(view.handle(.escape) == .chose(2))
        _ = view.handle(.tab)
        _ = view.handle(.tab)
        #expect(view.focus == 0)
        _ = view.handle(.up)
        #expect(view.focus == 4)
    }

    @Test("Typing joins marks, deletes words, and drops control characters") func typing() {
        var view = PageView(Self.page)
        _ = view.handle(.tab)
        _ = view.handle(.control("u"))
        for text in ["e", "\u{301}", " ", "x\u{7}\u{202E}"] { _ = view.handle(.text(text)) }
        #expect(view.values["user"] == "é x")
        _ = view.handle(.control("w"))
        #expect(view.values["user"] == "é ")
        _ = view.handle(.backspace)
        _ = view.handle(.backspace)
        _ = view.handle(.backspace)
        #expect(view.values["user"] == "")
        _ = view.handle(.paste(String(repeating: "a", count: 100_000)))
        #expect(view.values["user"]?.count == PageView.maximumFieldCharacterCount)
    }

    @Test("The same page keeps focus and texts, but not a submitted password") func again() {
        var view = PageView(Self.page)
        _ = view.handle(.tab)
        _ = view.handle(.text("2"))
        _ = view.handle(.tab)
        _ = view.handle(.text("secret"))
        view.forgetSecrets()
        let again = PageView(Self.page, after: view)
        #expect(again.focus == 2)
        #expect(again.values["user"] == "noor2")
        #expect(again.values["password"] == "")
        var other = Self.page
        other.name = "other"
        #expect(PageView(other, after: view).focus == 0)
    }

    @Test("Scrolling shows the rest, and any key returns to the focus") func scrolling() {
        var view = PageView(Self.page)
        for _ in 0..<3 { _ = view.handle(.pageDown) }
        #expect(Self.text(view, width: 40, height: 8).contains("Maya"))
        #expect(view.focus == 0)
        _ = view.handle(.pageUp)
        _ = view.handle(.tab)
        #expect(Self.text(view, width: 40, height: 8).contains("> noor"))
    }

    private static func text(_ view: PageView, width: Int, height: Int) -> String {
        let frame = PageDrawing(view, width: width, height: height).frame()
        return (0..<frame.height).map { frame.text(row: $0) }.joined(separator: "\n")
    }

    @Test("At every size the focus is visible and the password is not", arguments: 1...60)
    func drawing(size: Int) {
        var view = PageView(Self.page)
        _ = view.handle(.tab)
        _ = view.handle(.tab)
        _ = view.handle(.text("secret"))
        let text = Self.text(view, width: size * 2, height: size)
        #expect(!text.contains("secret"))
        #expect(!text.contains("\u{1B}"))
        if size >= 6 { #expect(text.contains("> ")) }
        if size >= 30 { #expect(text.contains("Maya[2J 家")) }
    }
}

/// The same page in line-by-line prompts.
@Suite("Pages line by line") struct PlainTextTests {
    @Test("Choices are numbered, and texts are cleaned") func lines() {
        let page = Page<Int>(
            name: "result",
            title: "Result",
            items: [
                .fact(label: "Name", value: "Maya\u{1B}[2J"), .action(label: "Sign out", 0),
                .form([], label: "Save", 1),
            ]
        )
        #expect(
            PlainText.lines(of: page)
                == ["", "== Result ==", "Name: Maya[2J", "1. Sign out", "2. Save"]
        )
        #expect(page.choices.map(\.action) == [0, 1])
    }

    @Test("A choice has a number and a name", arguments: [("2", 1), (" save ", 1), ("SAVE", 1)])
    func choice(line: String, index: Int) {
        #expect(PlainText.choice(line, of: ["Sign out", "Save"]) == index)
    }

    @Test(
        "Any other line selects no choice",
        arguments: ["", "0", "3", "-1", "Sav", "99999999999999999999"]
    )
    func noChoice(line: String) {
        #expect(PlainText.choice(line, of: ["Sign out", "Save"]) == nil)
    }

    @Test("Enter keeps a value, a hyphen clears it") func values() {
        #expect(PlainText.value("", instead: "Maya") == "Maya")
        #expect(PlainText.value("-", instead: "Maya") == "")
        #expect(PlainText.value(" Mia\u{7} ", instead: "Maya") == "Mia")
    }
}
