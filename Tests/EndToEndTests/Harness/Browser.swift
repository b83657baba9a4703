import AppleIdentity
import Foundation
import TestSupport

/// A headless Chromium, driven over WebDriver with nothing but HTTP.
///
/// Source: [WebDriver](https://www.w3.org/TR/webdriver2/)
struct Browser: Sendable {
    /// How long a search for an element waits for pages on their way, in milliseconds.
    private static let elementWaitMilliseconds = 20_000

    private let driver: HTTPCaller
    private let session: String

    /// Runs a browser with an empty profile while the body works.
    static func with<Result>(_ body: (Browser) async throws -> Result) async throws -> Result {
        try await withTemporaryFolder { folder in
            let program = try Program(
                Workplace.program("chromedriver", package: "chromium-driver"),
                arguments: ["--port=0", "--allowed-ips=127.0.0.1"],
                folder: folder
            )
            defer { program.end() }
            let port = try await program.waitForOutput("its port", Self.port)
            guard let url = URL(string: "http://127.0.0.1:\(port)") else {
                throw HarnessError("chromedriver told the port \(port)")
            }
            let driver = HTTPCaller(base: url)
            let browser = try await Browser(driver: driver, profile: folder)
            let result = try await browser.closing(body)
            return result
        }
    }

    private init(driver: HTTPCaller, profile: URL) async throws {
        let binary = try Workplace.program("chromium", package: "chromium")
        let capabilities: JSONObject = [
            "browserName": "chrome",
            "timeouts": ["implicit": .integer(Self.elementWaitMilliseconds), "pageLoad": 60_000],
            "goog:chromeOptions": [
                "binary": .string(binary.path),
                // The driver would let pages open popups that nobody asked for.
                "excludeSwitches": ["disable-popup-blocking"],
                "args": [
                    "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                    "--window-size=800,1300",
                    .string("--user-data-dir=" + profile.appending(path: "profile").path),
                ],
            ],
        ]
        let answer = try await driver.require(
            "POST",
            "/session",
            ["capabilities": ["alwaysMatch": .object(capabilities)]]
        )
        guard let session = answer["value"]?.objectValue?["sessionId"]?.stringValue else {
            throw HarnessError("chromedriver made no session: \(answer.text)")
        }
        self.driver = driver
        self.session = session
    }

    /// Opens an address and waits until the page is there.
    func open(_ url: URL) async throws {
        _ = try await command("POST", "/url", ["url": .string(url.absoluteString)])
    }

    /// The address of the page.
    func address() async throws -> URL {
        let text = try await command("GET", "/url").stringValue ?? ""
        guard let url = URL(string: text) else { throw HarnessError("no address: \(text)") }
        return url
    }

    /// The page's visible text.
    func text() async throws -> String {
        try await Element(id: find("//body"), browser: self).text()
    }

    /// Finds an element by XPath, waiting for a page on its way.
    func element(_ path: String) async throws -> Element {
        do {
            return Element(id: try await find(path), browser: self)
        } catch let error as HarnessError {
            let page = "the page \(try await address()) says:\n\(try await text())"
            throw HarnessError("\(error)\n\(page)")
        }
    }

    /// Whether an element is on the page that is shown now.
    func has(_ path: String) async throws -> Bool {
        _ = try await command("POST", "/timeouts", ["implicit": 0])
        let found = try await command("POST", "/elements", Self.locator(path)).arrayValue ?? []
        let wait = JSONValue.integer(Self.elementWaitMilliseconds)
        _ = try await command("POST", "/timeouts", ["implicit": wait])
        return !found.isEmpty
    }

    /// The names of the cookies that the page's address has.
    func cookieNames() async throws -> [String] {
        let cookies = try await command("GET", "/cookie").arrayValue ?? []
        return cookies.compactMap { $0.objectValue?["name"]?.stringValue }
    }

    /// Keeps a picture of the page as `.artifacts/screenshots/NAME.png`.
    func takePicture(_ name: String) async throws {
        let text = try await command("GET", "/screenshot").stringValue ?? ""
        guard let picture = Data(base64Encoded: text) else {
            throw HarnessError("the picture \(name) is not base64")
        }
        let folder = Workplace.screenshots
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try picture.write(to: folder.appending(path: name + ".png"))
    }

    /// Sends one WebDriver command.
    ///
    /// - Returns: the answer's value.
    func command(
        _ method: String,
        _ path: String,
        _ object: JSONObject? = nil
    ) async throws -> JSONValue {
        let body = method == "POST" ? object ?? JSONObject() : nil
        let answer = try await driver.send(method, "/session/\(session)\(path)", body)
        let value = answer.object["value"] ?? .null
        guard answer.status == 200 else {
            let reason = value.objectValue?["message"]?.stringValue ?? answer.text
            throw HarnessError("the browser refused \(path): \(reason.prefix(300))")
        }
        return value
    }

    private func find(_ path: String) async throws -> String {
        let value = try await command("POST", "/element", Self.locator(path))
        guard let id = value.objectValue?.members.first?.value.stringValue else {
            throw HarnessError("no element \(path)")
        }
        return id
    }

    private func closing<Result>(
        _ body: (Browser) async throws -> Result
    ) async throws -> Result {
        do {
            let result = try await body(self)
            _ = try await command("DELETE", "")
            return result
        } catch {
            try? await takePicture("failure-\(session.prefix(8))")
            _ = try? await command("DELETE", "")
            throw error
        }
    }

    private static func locator(_ path: String) -> JSONObject {
        ["using": "xpath", "value": .string(path)]
    }

    private static func port(in output: String) -> Int? {
        output.firstMatch(of: /started successfully on port (\d+)/).flatMap { Int($0.1) }
    }
}
