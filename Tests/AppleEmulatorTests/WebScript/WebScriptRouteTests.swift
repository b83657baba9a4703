import AppleIdentity
import HTTPTypes
import Testing

@testable import AppleEmulator

// Fidelity: script-1, script-31, script-32, button-9
@Suite("The script and the pictures of the button") final class WebScriptRouteTests: BoxSuite {
    static let folder = "/appleauth/static/jsapi/appleid/1/"

    @Test(
        "The script is at Apple's path in every locale",
        arguments: ButtonLocale.names.sorted()
    )
    func script(locale: String) async throws {
        let reply = await box.send(.get, "\(Self.folder)\(locale)/appleid.auth.js")
        guard case .script(locale) = reply.answer.page else {
            Issue.record("\(reply.status)")
            return
        }
        #expect(reply.status == 200)
    }

    @Test(
        "Other paths below the script's are not found",
        arguments: [
            "xx_XX/appleid.auth.js", "appleid.auth.js", "/appleid.auth.js", "en_US/other.js",
            "en_US/appleid.auth.js/", "en_US/x/appleid.auth.js",
        ]
    )
    func unknownScripts(path: String) async throws {
        #expect(await box.send(.get, Self.folder + path).status == 404)
    }

    @Test(
        "Only GET and HEAD",
        arguments: [Self.folder + "en_US/appleid.auth.js", "/appleid/button"]
    )
    func methods(path: String) async throws {
        #expect(await box.send(.post, path).status == 405)
        let head = await box.send(.head, path)
        #expect(head.status == 200 && head.answer.body.isEmpty)
    }

    @Test("A picture narrower than the guidelines want is drawn, with a hint")
    func narrow() async throws {
        for (path, isNarrow) in [
            ("/appleid/button?width=139", true), ("/appleid/button/left?width=139", true),
            ("/appleid/button?width=140", false), ("/appleid/button/logo?size=30", false),
        ] {
            #expect(await box.send(.get, path).status == 200)
            let isTold = await box.lastHint().contains("140 points")
            #expect(isTold == isNarrow, "\(path)")
        }
    }

    @Test(
        "Every value at its limit has a picture",
        arguments: [
            "/appleid/button?width=130&height=30", "/appleid/button?width=375&height=64",
            "/appleid/button?color=white&border=true&border_radius=0",
            "/appleid/button?border_radius=50&scale=6&type=sign-up",
            "/appleid/button?type=continue&locale=iw_IL",
            "/appleid/button/left?logo-size=large&logo-position=0&label-position=182",
            "/appleid/button/left?logo-size=medium&logo-position=182&locale=ar_SA",
            "/appleid/button/logo?size=30", "/appleid/button/logo?size=64&color=white",
            "/appleid/button?unheard=of",
        ]
    )
    func limits(path: String) async throws {
        let reply = await box.send(.get, path)
        guard case .button = reply.answer.page else {
            Issue.record("\(reply.status)")
            return
        }
        #expect(reply.status == 200)
    }

    @Test(
        "A value beyond its limits is not found, and the log names it",
        arguments: [
            "width=129", "width=376", "height=29", "height=65", "color=red", "border=yes",
            "border_radius=51", "border_radius=-1", "border_radius=1.5", "type=signin",
            "scale=0", "scale=7", "locale=en", "locale=", "width=", "width=+140", "width=٢٠٠",
            "width=140&width=150", "locale=%3Csvg%3E", "width=99999999999999999999",
        ]
    )
    func beyondLimits(query: String) async throws {
        #expect(await box.send(.get, "/appleid/button?" + query).status == 404)
        let name = String(query.prefix { $0 != "=" })
        #expect(await box.lastReason().contains(name))
    }

    @Test(
        "Left-aligned pictures and logos have limits of their own",
        arguments: [
            "left?logo-size=huge", "left?logo-position=183", "left?label-position=-1",
            "logo?size=29", "logo?size=65",
        ]
    )
    func beyondOwnLimits(path: String) async throws {
        #expect(await box.send(.get, "/appleid/button/" + path).status == 404)
    }
}
