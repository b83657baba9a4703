import AppleIdentity
import Foundation
import TestSupport
import Testing

/// A person who looks instead of guessing, in a real browser.
@Suite("The console in Chromium", .serialized) struct ConsoleTests {
    private static let email = "maya@example.com"

    @Test("Move the clock, rotate keys, answer a mail, clear a fault", .timeLimit(.minutes(5)))
    func walk() async throws {
        try await withTemporaryFolder { folder in
            try await SiwaProcess.with(data: folder) { siwa in
                try await Browser.with { browser in
                    let console = AppleConsole(browser: browser, control: siwa.control)
                    try await console.open()
                    let relay = try await console.fact("Mail (SMTP)")
                    try await browser.takePicture("console-1-overview")
                    try await moveClock(console)
                    try await rotateKeys(console)
                    try await send("Your glass", to: relay, folder: folder)
                    try await answerMail(console)
                    try await clearFault(console, ControlPort(siwa))
                }
            }
        }
    }

    private func moveClock(_ console: AppleConsole) async throws {
        try await console.go(to: "Clock")
        try await console.type("2", into: "days", of: "/console/clock/advance")
        try await console.browser.element("//button[text()='Move the clock']").press()
        #expect(try await console.notice() == "Apple’s clock was changed.")
        #expect(try await console.fact("Offset") == "2 d ahead")
        try await console.browser.takePicture("console-2-clock")
    }

    private func rotateKeys(_ console: AppleConsole) async throws {
        try await console.go(to: "Keys")
        let key = "//tr[td//span[text()='current']][1]//code"
        let old = try await console.browser.element(key).text()
        try await console.press("/console/keys/rotate")
        #expect(try await console.notice() == "Apple now signs with new keys.")
        #expect(try await console.browser.element(key).text() != old)
        let isKept = "//tr[td//code[text()='\(old)']]//span[text()='still published']"
        _ = try await console.browser.element(isKept)
        try await console.browser.takePicture("console-3-keys")
    }

    private func send(_ subject: String, to relay: String, folder: URL) async throws {
        let swaks = try Program(
            Workplace.program("swaks", package: "swaks"),
            arguments: [
                "--server", relay, "--from", "noah@shop.example.com", "--to", Self.email,
                "--header", "Subject: \(subject)", "--body", "It is full.",
            ],
            folder: folder
        )
        #expect(try await swaks.finish() == 0)
    }

    private func answerMail(_ console: AppleConsole) async throws {
        try await console.go(to: "Inbox")
        try await console.browser.element("//a[.='Your glass']").press()
        let path = "/console/inbox/1/reply"
        try await console.type("Thank you, it was good.", into: "text", of: path)
        try await console.press(path)
        #expect(try await console.notice() == "The reply was sent.")
        _ = try await console.browser.element("//pre[contains(., 'it was good')]")
        try await console.browser.takePicture("console-4-mail")
    }

    private func clearFault(_ console: AppleConsole, _ control: ControlPort) async throws {
        try await control.add("/faults", ["endpoint": "token", "status": 502])
        try await console.go(to: "Faults & switches")
        _ = try await console.browser.element("//span[text()='status 502']")
        try await console.browser.takePicture("console-5-fault")
        try await console.press("/console/faults/clear")
        #expect(try await console.notice() == "All faults were cleared.")
        #expect(try await console.browser.text().contains("No faults."))
    }
}
