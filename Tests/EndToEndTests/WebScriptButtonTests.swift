import AppleIdentity
import Foundation
import Testing

/// The button that the script draws, and the pictures of it, in a real browser.
@Suite("Apple's button in Chromium", .serialized, .timeLimit(.minutes(5)))
struct WebScriptButtonTests {
    private static let path = "//*[@id='appleid-signin']/*[@role='button']"
    private static let tags = """
        <meta name="appleid-signin-client-id" content="\(ShopSite.clientID)">
        <meta name="appleid-signin-scope" content="email">
        <meta name="appleid-signin-state" content="s-meta">
        <meta name="appleid-signin-nonce" content="n-meta">
        <meta name="appleid-signin-use-popup" content="true">
        <script>
        const tag = document.createElement("meta");
        tag.name = "appleid-signin-redirect-uri";
        tag.content = location.origin + "/callback";
        document.head.append(tag);
        </script>
        """
    private static let button = #"<div id="appleid-signin" style="width:220px;height:44px"></div>"#

    /// Space and Enter, as WebDriver writes keys.
    ///
    /// Source: [WebDriver, keyboard actions](https://www.w3.org/TR/webdriver2/#keyboard-actions)
    @Test("Meta tags configure it; Enter and the space bar press it", arguments: ["\u{E007}", " "])
    func keyboard(key: String) async throws {
        try await ShopVisit.with(head: Self.tags, button: Self.button) { visit in
            #expect(try await visit.details("AppleIDSigInLoaded").count == 1)
            let name = try await visit.browser.run(
                """
                const button = document.querySelector("#appleid-signin > [role=button]");
                button.focus();
                return document.activeElement === button ? button.getAttribute("aria-label") : "";
                """
            )
            #expect(name == "Sign in with Apple")
            _ = try await visit.popup { try await visit.browser.pressKey(key) }
            _ = try await AppleSheet(browser: visit.browser).field("email")
            let query = try await visit.query()
            #expect(query["m"] == "22")
            #expect(query["scope"] == "email")
            #expect(query["state"] == "s-meta")
            #expect(query["nonce"] == "n-meta")
            try await AppleSheet(browser: visit.browser).press("cancel")
            try await visit.browser.turn(to: visit.window)
            let error: JSONValue = ["error": "user_cancelled_authorize"]
            try await waitUntil("the document shall hear of it") {
                try await visit.details("AppleIDSignInOnFailure") == [error] ? () : nil
            }
        }
    }

    @Test("Settings of init make it the first kind, a press of the mouse the second")
    func mouse() async throws {
        try await ShopVisit.with(button: Self.button) { visit in
            try await visit.initialize()
            let button = try await visit.browser.element(Self.path)
            _ = try await visit.popup { try await button.press() }
            _ = try await AppleSheet(browser: visit.browser).field("email")
            #expect(try await visit.query()["m"] == "12")
        }
    }

    @Test(
        "Its title is in the script's language",
        arguments: [
            ("de_DE", "Mit Apple anmelden", "ltr"), ("ja_JP", "Appleでサインイン", "ltr"),
            ("ar_SA", "تسجيل الدخول باستخدام Apple", "rtl"),
        ]
    )
    func languages(locale: String, title: String, direction: String) async throws {
        try await ShopVisit.with(locale: locale, button: Self.button) { visit in
            let element = try await visit.browser.element(Self.path)
            #expect(try await element.text() == title)
            let found = try await visit.browser.run(
                """
                const button = document.querySelector("#appleid-signin > [role=button]");
                return [button.getAttribute("aria-label"), button.firstChild.dir];
                """
            )
            #expect(found == [.string(title), .string(direction)])
            try await visit.browser.takePicture("script-button-\(locale)")
        }
    }

    @Test("Its attributes are followed, and those beyond their limits are not")
    func attributes() async throws {
        try await ShopVisit.with(button: Self.button) { visit in
            let looks: [(attributes: String, expected: String)] = [
                ("", "Sign in with Apple|220|44|rgb(0, 0, 0)|15px|1px"),
                (
                    "{type: 'continue', color: 'white', border: 'false', borderRadius: '50'}",
                    "Continue with Apple|220|44|rgb(255, 255, 255)|50px|0px"
                ),
                (
                    "{type: 'sign up', width: '129', height: '65', borderRadius: '51', color: 'red'}",
                    "Sign in with Apple|220|44|rgb(0, 0, 0)|15px|1px"
                ),
                (
                    "{type: 'sign in', width: '375', height: '30', mode: 'left-align'}",
                    "Sign in with Apple|375|30|rgb(0, 0, 0)|15px|1px"
                ),
                (
                    "{type: 'sign-up', mode: 'logo-only', height: '48'}",
                    "Sign up with Apple|48|48|rgb(0, 0, 0)|15px|1px"
                ),
            ]
            for look in looks {
                let found = try await visit.browser.run(Self.measure(look.attributes))
                #expect(found.stringValue == look.expected, "\(look.attributes)")
            }
            try await expectPositions(visit)
            try await expectLogoSizes(visit)
            try await expectWarnings(visit)
        }
    }

    @Test("The pictures are pictures, of the size asked for") func pictures() async throws {
        try await ShopVisit.with { visit in
            let sizes = try await visit.browser.run(Self.gallery)
            #expect(sizes == Self.gallerySizes)
            try await visit.browser.takePicture("button-pictures")
        }
    }

    /// Positions count from the side where reading starts, to half of the width at most.
    private func expectPositions(_ visit: ShopVisit) async throws {
        let positions: [(String, String)] = [("40", "40px"), ("111", ""), ("-1", "")]
        for (position, expected) in positions {
            let found = try await visit.browser.run(
                """
                document.getElementById("appleid-signin").dataset.width = "220";
                document.getElementById("appleid-signin").dataset.mode = "left-align";
                document.getElementById("appleid-signin").dataset.labelPosition = "\(position)";
                document.getElementById("appleid-signin").dataset.logoPosition = "\(position)";
                AppleID.auth.renderButton();
                const label = document.querySelector("#appleid-signin [role=button] span span");
                const logo = document.querySelector("#appleid-signin [role=button] svg");
                return [label.style.insetInlineStart, logo.style.insetInlineStart];
                """
            )
            #expect(found == [.string(expected), .string(expected)], "\(position)")
        }
    }

    /// A left-aligned button has a logo of three sizes, others of one.
    private func expectLogoSizes(_ visit: ShopVisit) async throws {
        let found = try await visit.browser.run(
            """
            const place = document.getElementById("appleid-signin");
            for (const name of Object.keys(place.dataset)) delete place.dataset[name];
            const width = (mode, logoSize) => {
              Object.assign(place.dataset, { mode, logoSize });
              AppleID.auth.renderButton();
              return place.querySelector("svg").getBoundingClientRect().width;
            };
            const [small, medium, large] =
              ["small", "medium", "large"].map((size) => width("left-align", size));
            return [small < medium, medium < large,
              width("center-align", "large") === width("center-align", "small")];
            """
        )
        #expect(found == [true, true, true])
    }

    /// What is beyond limits is told to the developer; what Apple takes as well is not.
    private func expectWarnings(_ visit: ShopVisit) async throws {
        let found = try await visit.browser.run(
            """
            const place = document.getElementById("appleid-signin");
            for (const name of Object.keys(place.dataset)) delete place.dataset[name];
            return ["sign in", "sign up", "sign-up"].map((type) => {
              let count = 0;
              console.warn = () => { count += 1 };
              place.dataset.type = type;
              AppleID.auth.renderButton();
              return count;
            });
            """
        )
        #expect(found == [0, 1, 0])
    }

    private static func measure(_ attributes: String) -> String {
        """
        const place = document.getElementById("appleid-signin");
        for (const name of Object.keys(place.dataset)) delete place.dataset[name];
        Object.assign(place.dataset, \(attributes.isEmpty ? "{}" : attributes));
        AppleID.auth.renderButton();
        const button = place.firstChild;
        const box = button.getBoundingClientRect();
        const style = getComputedStyle(button);
        return [button.getAttribute("aria-label"), box.width, box.height, style.backgroundColor,
          style.borderTopLeftRadius, style.borderTopWidth].join("|");
        """
    }

    private static let gallerySizes: JSONValue = [
        "140x30", "400x128", "375x64", "260x44", "300x44", "300x44", "64x64", "260x88",
    ]

    private static let gallery = """
        const script = document.querySelector("script[src]").src;
        const names = ["", "?width=200&height=64&scale=2&type=continue",
          "?width=375&height=64&locale=ar_SA&border_radius=0",
          "?width=260&height=44&color=white&border=true&locale=ja_JP&type=sign-up",
          "/left?width=300&height=44&logo-size=large",
          "/left?width=300&height=44&locale=iw_IL&logo-position=30&label-position=90",
          "/logo?size=64&border_radius=32", "?width=130&height=44&scale=2&locale=hu_HU"];
        document.body.replaceChildren(...names.map((name) => {
          const picture = new Image();
          picture.style = "display:block;margin:0.7rem";
          picture.src = new URL("/appleid/button" + name, script).href;
          return picture;
        }));
        return Promise.all([...document.images].map((picture) => picture.decode().then(
          () => `${picture.naturalWidth}x${picture.naturalHeight}`)));
        """
}
