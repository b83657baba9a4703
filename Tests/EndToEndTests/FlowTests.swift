import AppleIdentity
import Foundation
import TestSupport
import Testing

/// Somebody who watches sign-ins draw themselves.
@Suite("Flows in Chromium", .serialized) struct FlowTests {
    private static let email = "maya@example.com"

    @Test(
        "New sign-ins and arrows appear by themselves; a file tells the same",
        .timeLimit(.minutes(5))
    )
    func live() async throws {
        try await withTemporaryFolder { folder in
            try await SiwaProcess.with(data: folder) { siwa in
                try await Browser.with { browser in
                    try await watchList(browser, siwa)
                    let page = try await watchFlow(browser, siwa)
                    try await open(page, in: folder, browser, siwa)
                }
            }
        }
    }

    private func watchList(_ browser: Browser, _ siwa: SiwaProcess) async throws {
        try await browser.open(siwa.control.appending(path: "flows"))
        #expect(try await browser.text().contains("No flows yet"))
        try await browser.takePicture("flows-1-none")
        try await browser.run("window.stays = true")
        let apple = HTTPCaller(base: siwa.apple)
        let refused = try await apple.send("GET", "/auth/authorize?client_id=com.example.typo")
        #expect(refused.status == 400)
        _ = try await browser.element("//li[@class='state-refused fresh']")
        _ = try await ControlPort(siwa).credentials(for: Self.email)
        _ = try await browser.element("//li[contains(@class, 'state-authorized')]")
        #expect(try await browser.run("return window.stays") == true)
        try await browser.takePicture("flows-2-list")
    }

    /// - Returns: the address of the flow.
    private func watchFlow(_ browser: Browser, _ siwa: SiwaProcess) async throws -> URL {
        try await browser.element("//ol[@id='flows']/li[1]/a").press()
        _ = try await browser.element("//h1[. = 'Juice']")
        try await browser.element("//summary").press()
        try await browser.run("window.stays = true")
        #expect(try await browser.text().contains("requests authorization on the device"))
        try await ControlPort(siwa).stopUsing(Self.email)
        _ = try await browser.element("//li[contains(@class, 'notification')]")
        _ = try await browser.element("//li[contains(@class, 'attempt')]")
        _ = try await browser.element("//span[contains(@class, 'pill revoked')]")
        #expect(try await browser.run("return window.stays") == true)
        #expect(try await browser.has("//li[1]/details[@open]"))
        try await browser.takePicture("flows-3-flow")
        return try await browser.address()
    }

    private func open(
        _ page: URL,
        in folder: URL,
        _ browser: Browser,
        _ siwa: SiwaProcess
    ) async throws {
        let answer = try await HTTPCaller(base: siwa.control).send("GET", page.path + ".html")
        #expect(answer.status == 200)
        let file = folder.appending(path: "flow.html")
        try answer.body.write(to: file)
        try await browser.open(file)
        let text = try await browser.text()
        #expect(text.contains("requests authorization on the device"))
        #expect(text.contains("consent-revoked"))
        let width = try await browser.run(
            "return getComputedStyle(document.querySelector('.diagram')).borderTopLeftRadius"
        )
        #expect(width != "0px", "the file's policy must allow its style")
        try await browser.takePicture("flows-4-file")
    }
}
