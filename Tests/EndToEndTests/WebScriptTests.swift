import AppleIdentity
import Foundation
import Testing

/// A page of another origin that loads Apple's script, in a real browser.
@Suite("Apple's script in Chromium", .serialized, .timeLimit(.minutes(5)))
struct WebScriptTests {
    @Test("Redirect mode: the form comes to the redirect address") func redirect() async throws {
        try await ShopVisit.with { visit in
            try await visit.initialize("{usePopup: false}")
            let returned = try await visit.browser.run("return typeof AppleID.auth.signIn()")
            #expect(returned == "undefined")
            let sheet = AppleSheet(browser: visit.browser)
            _ = try await sheet.field("email")
            #expect(try await visit.query()["response_mode"] == "form_post")
            try await visit.signIn(email: "maya@example.com")
            let form = try await visit.browser.element("//pre[@id='form']").text()
            #expect(form.contains("code=") && form.contains("id_token="))
            #expect(form.contains("state=s-1") && form.contains("user="))
        }
    }

    @Test("Popup: the promise and the event tell the same, the user once") func popup()
        async throws
    {
        try await ShopVisit.with { visit in
            try await visit.initialize()
            let popup = try await visit.popup { try await visit.press() }
            _ = try await AppleSheet(browser: visit.browser).field("email")
            try await expectRequest(of: visit, m: "11")
            try await visit.browser.takePicture("script-popup")
            try await visit.signIn(email: "maya@example.com")
            let result = try await visit.result("success")
            #expect(result["authorization"]?.objectValue?["state"] == "s-1")
            #expect(result["authorization"]?.objectValue?["code"] != nil)
            #expect(result["authorization"]?.objectValue?["id_token"] != nil)
            #expect(result["user"]?.objectValue?["email"] == "maya@example.com")
            let detail = try await visit.details("AppleIDSignInOnSuccess").last?.objectValue
            #expect(detail?["authorization"] == result["authorization"])
            #expect(detail?["data"] == .object(result))
            try await waitUntil("the popup shall close") {
                try await visit.browser.windows().contains(popup) ? nil : ()
            }
            _ = try await visit.popup { try await visit.press() }
            try await AppleSheet(browser: visit.browser).press("continue")
            let second = try await visit.result("success", number: 2)
            #expect(second["authorization"] != nil)
            #expect(second["user"] == nil)
        }
    }

    @Test("Popup: nothing reaches the redirect address") func nothingElse() async throws {
        try await ShopVisit.with { visit in
            try await visit.initialize()
            try await visit.control.decideNext("continue")
            try await visit.press()
            _ = try await visit.result("success")
            #expect(try await visit.browser.address() == visit.shop.url)
            #expect(visit.shop.callbackCount == 0)
        }
    }

    @Test("A popup that the person closes") func closed() async throws {
        try await ShopVisit.with { visit in
            try await visit.initialize()
            _ = try await visit.popup { try await visit.press() }
            try await visit.browser.closeWindow()
            try await expectFailure("popup_closed_by_user", of: visit)
        }
    }

    @Test("A popup that the browser blocks") func blocked() async throws {
        try await ShopVisit.with { visit in
            try await visit.initialize()
            try await visit.browser.run("attempt()")
            try await expectFailure("popup_blocked_by_browser", of: visit)
            #expect(try await visit.browser.windows().count == 1)
        }
    }

    @Test("The popup is 700 wide and high, in the middle of the window") func popupSize()
        async throws
    {
        try await ShopVisit.with { visit in
            try await visit.initialize()
            let found = try await visit.browser.run(
                """
                let name, features;
                window.open = (address, ...rest) => { [name, features] = rest; return null };
                attempt();
                const value = (key) => Number(features.match(new RegExp(key + "=(-?[0-9]+)"))[1]);
                const middle = [value("left") + 350 - (screenX + outerWidth / 2),
                  value("top") + 350 - (screenY + outerHeight / 2)];
                return [name, value("width"), value("height"), ...middle.map(Math.round)];
                """
            )
            #expect(found == ["Apple authentication", 700, 700, 0, 0])
        }
    }

    @Test("State and nonce that the page doesn't give are not sent") func unsaid() async throws {
        try await ShopVisit.with { visit in
            func address(_ changes: String) async throws -> String {
                try await visit.initialize(changes)
                return try await visit.browser.run(
                    """
                    let address;
                    window.open = (first) => { address = first; return null };
                    attempt();
                    return address;
                    """
                )
                .stringValue ?? ""
            }
            let said = try await address("{}")
            #expect(said.contains("&state=s-1") && said.contains("&nonce=n-1"))
            let unsaid = try await address("{state: undefined, nonce: undefined}")
            #expect(unsaid.contains("/auth/authorize?client_id="))
            #expect(!unsaid.contains("&state=") && !unsaid.contains("&nonce="))
        }
    }

    @Test("Cancel in the popup") func cancelled() async throws {
        try await ShopVisit.with { visit in
            try await visit.initialize()
            _ = try await visit.popup { try await visit.press() }
            try await AppleSheet(browser: visit.browser).press("cancel")
            try await expectFailure("user_cancelled_authorize", of: visit)
        }
    }

    @Test("A second sign-in ends the first one, and goes on itself") func second() async throws {
        try await ShopVisit.with { visit in
            try await visit.initialize()
            let popup = try await visit.popup { try await visit.press() }
            try await visit.browser.turn(to: visit.window)
            try await visit.press()
            try await expectFailure("user_trigger_new_signin_flow", of: visit)
            #expect(try await visit.browser.windows().count == 2)
            try await visit.browser.turn(to: popup)
            try await visit.signIn(email: "maya@example.com")
            #expect(try await visit.result("success")["authorization"] != nil)
        }
    }

    @Test("A page that parts itself from its popups never gets the answer") func parted()
        async throws
    {
        try await ShopVisit.with { visit in
            try await visit.browser.open(visit.shop.url.appending(path: "parted"))
            try await visit.initialize()
            _ = try await visit.popup { try await visit.press() }
            try await visit.signIn(email: "maya@example.com")
            let hint = try await visit.browser.element("//aside[@id='alone']").text()
            #expect(hint.contains("same-origin-allow-popups"))
            try await visit.browser.takePicture("script-popup-alone")
            try await visit.browser.turn(to: visit.window)
            #expect(try await visit.browser.has("//pre[@class='success']") == false)
        }
    }

    @Test("Messages of anybody else are not believed") func forged() async throws {
        try await ShopVisit.with { visit in
            try await visit.initialize()
            let popup = try await visit.popup { try await visit.press() }
            try await visit.browser.turn(to: visit.window)
            try await visit.browser.run(
                """
                for (const data of ["", "null", "[", {}, {method: "oauthDone", data: {}},
                  '{"method":"oauthDone","data":{"authorization":{"code":"forged"}}}'])
                  window.postMessage(data, "*");
                """
            )
            try await visit.browser.turn(to: popup)
            try await AppleSheet(browser: visit.browser).press("cancel")
            try await expectFailure("user_cancelled_authorize", of: visit)
            #expect(try await visit.browser.has("//pre[@class='success']") == false)
        }
    }

    @Test("Settings of one call go before those of init; wrong ones are errors") func settings()
        async throws
    {
        try await ShopVisit.with { visit in
            let errors = try await visit.browser.run(
                """
                return [{}, {clientId: "a"}, {clientId: 1, redirectURI: "b"},
                  {clientId: "a", redirectURI: "b", usePopup: "true"},
                  {clientId: "a", redirectURI: "b", state: 7}].map((settings) => {
                    try { AppleID.auth.init(settings); return "" } catch (error) { return error.message }
                  });
                """
            )
            let names = ["clientId", "redirectURI", "clientId", "usePopup", "state"]
            for (error, name) in zip(errors.arrayValue ?? [], names) {
                #expect(error.stringValue?.contains("AppleID.auth: \(name) must be") == true)
            }
            try await visit.initialize()
            let button = try await visit.browser.element("//button[@id='try']")
            try await visit.browser.run(
                "document.getElementById('try').onclick = () => attempt({state: 's 2&', nonce: ''})"
            )
            _ = try await visit.popup { try await button.press() }
            _ = try await AppleSheet(browser: visit.browser).field("email")
            let query = try await visit.query()
            #expect(query["state"] == "s 2&")
            #expect(query["nonce"] == nil)
            #expect(query["scope"] == "name email")
        }
    }

    @Test("A wrong setting is told by Apple's page in the popup") func unregistered() async throws {
        try await ShopVisit.with { visit in
            try await visit.initialize("{redirectURI: location.origin + '/other'}")
            _ = try await visit.popup { try await visit.press() }
            _ = try await visit.browser.element("//code[.='invalid_request']")
            try await visit.browser.closeWindow()
            try await expectFailure("popup_closed_by_user", of: visit)
        }
    }

    private func expectFailure(_ error: String, of visit: ShopVisit) async throws {
        #expect(try await visit.result("failure") == ["error": .string(error)])
        let details = try await visit.details("AppleIDSignInOnFailure")
        #expect(details == [["error": .string(error)]])
    }

    private func expectRequest(of visit: ShopVisit, m: String) async throws {
        let query = try await visit.query()
        #expect(query["client_id"] == ShopSite.clientID)
        #expect(query["response_mode"] == "web_message")
        #expect(query["response_type"] == "code id_token")
        #expect(query["state"] == "s-1")
        #expect(query["nonce"] == "n-1")
        #expect(query["m"] == m)
        #expect(query["v"] == "1.5.5")
        let uuid = /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/
        #expect(query["frame_id"]?.wholeMatch(of: uuid) != nil)
    }
}
