import XCTest

/// Presses the app's buttons, against the server and the emulator of `make run`.
@MainActor final class SignInUITests: XCTestCase {
    private func launch(choice: String) -> XCUIApplication {
        let app = XCUIApplication()
        app.launchEnvironment["SIWA_EMULATOR"] = "http://127.0.0.1:8082"
        app.launchEnvironment["SIWA_EMULATOR_PERSON"] = "maya@example.com"
        app.launchEnvironment["SIWA_EMULATOR_CHOICE"] = choice
        app.launch()
        let signOut = app.buttons["Sign out"]
        if signOut.waitForExistence(timeout: 5) { signOut.tap() }
        return app
    }

    func testAUserSignsIn() {
        let app = launch(choice: "hide-email")
        app.buttons["Sign in with Apple"].tap()
        XCTAssertTrue(app.staticTexts["You are signed in"].waitForExistence(timeout: 10))
    }

    func testAUserWhoCancelsSeesNoError() {
        let app = launch(choice: "cancel")
        let button = app.buttons["Sign in with Apple"]
        button.tap()
        XCTAssertTrue(button.waitForExistence(timeout: 5))
        XCTAssertFalse(app.staticTexts["You are signed in"].exists)
    }
}
