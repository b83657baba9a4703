extension BehaviourTopic {
    /// `appleid.auth.js`, its popup, and the pictures of the button.
    static let script = BehaviourTopic(
        title: "The script and the button of a page",
        behaviours: [
            .emulated(
                "The script stands at `/appleauth/static/jsapi/appleid/1/LOCALE/appleid.auth.js`",
                .documented,
                from: .webPage,
                tests: "WebScriptRouteTests.script",
                "WebScriptRouteTests.unknownScripts"
            ),
            .emulated(
                "`AppleID.auth.init` takes client, redirect address, scope, state, nonce and whether to use a popup",
                .documented,
                from: .scriptConfiguration,
                .webPage,
                tests: "WebScriptTests.popup",
                "WebScriptTests.redirect",
                "WebScriptTests.settings"
            ),
            .emulated(
                "Meta tags of the page configure the script as well",
                .documented,
                from: .webPage,
                tests: "WebScriptButtonTests.keyboard"
            ),
            .emulated(
                "`signIn` takes the same fields for one call, and returns a promise in popup mode",
                .documented,
                from: .scriptSignIn,
                tests: "WebScriptTests.settings",
                "WebScriptTests.popup"
            ),
            .emulated(
                "Without a popup `signIn` goes to Apple's page and returns nothing",
                .documented,
                from: .scriptSignIn,
                tests: "WebScriptTests.redirect"
            ),
            .emulated(
                "`AppleID.auth.renderButton` draws the button again",
                .observed,
                from: .script,
                tests: "WebScriptButtonTests.attributes"
            ),
            .emulated(
                "A success has `authorization` with code, identity token and state, and `user` the first time only",
                .documented,
                from: .authorizeRequest,
                .webPage,
                tests: "WebScriptTests.popup",
                "WebMessageTests.granted"
            ),
            .emulated(
                "A failure has `error`",
                .documented,
                from: .scriptError,
                tests: "WebScriptTests.cancelled",
                "WebMessageTests.cancelled"
            ),
            .emulated(
                "A popup the person closes fails with `popup_closed_by_user`",
                .observed,
                from: .script,
                tests: "WebScriptTests.closed"
            ),
            .emulated(
                "A popup the browser blocks fails with `popup_blocked_by_browser`",
                .observed,
                from: .script,
                .appleSignIn75,
                tests: "WebScriptTests.blocked"
            ),
            .emulated(
                "A second `signIn` ends the first one with `user_trigger_new_signin_flow`",
                .observed,
                from: .script,
                tests: "WebScriptTests.second"
            ),
            .emulated(
                "Pressing *Cancel* in the popup fails with `user_cancelled_authorize`",
                .documented,
                from: .authorizeRequest,
                tests: "WebScriptTests.cancelled"
            ),
            .emulated(
                "The document gets the events `AppleIDSignInOnSuccess` and `AppleIDSignInOnFailure`",
                .documented,
                from: .webPage,
                tests: "WebScriptTests.popup",
                "WebScriptTests.cancelled"
            ),
            .emulated(
                "The detail of a success event has `authorization`",
                .observed,
                from: .supabase48567,
                tests: "WebScriptTests.popup"
            ),
            .emulated(
                "The detail of a success event has `data`",
                .documented,
                from: .webPage,
                tests: "WebScriptTests.popup"
            ),
            .emulated(
                "The document gets the event `AppleIDSigInLoaded` when the script is ready",
                .observed,
                from: .script,
                tests: "WebScriptButtonTests.keyboard"
            ),
            .emulated(
                "The popup is 700 points wide and high and stands in the middle; whether it was closed is looked up every 300 ms",
                .observed,
                from: .script,
                tests: "WebScriptTests.popupSize",
                "WebScriptTests.closed"
            ),
            .emulated(
                "The popup answers by a message with a JSON text of `method` and `data`, taken from Apple's origin only",
                .observed,
                from: .script,
                tests: "WebMessageTests.granted",
                "WebScriptTests.forged"
            ),
            .emulated(
                "The script asks with `response_mode=web_message`, both response types, `frame_id`, `m` and `v`",
                .observed,
                from: .reactSignInAuth,
                tests: "WebScriptTests.popup",
                "WebScriptButtonTests.mouse",
                "WebScriptButtonTests.keyboard"
            ),
            .emulated(
                "`state` and `nonce` are sent only if the page gave them",
                .observed,
                from: .reactSignInAuth,
                tests: "WebScriptTests.unsaid"
            ),
            .emulated(
                "A popup answers its opener and sends nothing to the redirect address, which must be registered all the same",
                .observed,
                from: .reactSignInAuth,
                .reactAppleSigninAuth84,
                .reactAppleLogin8,
                tests: "WebScriptTests.nothingElse",
                "WebMessageTests.unregistered"
            ),
            .emulated(
                "An opener with the policy `same-origin` never hears from its popup",
                .observed,
                from: .diplicityReact565,
                tests: "WebScriptTests.parted"
            ),
            .missing(
                "Hidden meta tags let the script of 2019 talk to another address",
                .observed,
                from: .script,
                because: "not needed: the script talks to where it was loaded from"
            ),
            .emulated(
                "The script fills the element `appleid-signin` with the button that its data attributes describe",
                .documented,
                from: .webButtons,
                tests: "WebScriptButtonTests.attributes"
            ),
            .emulated(
                "The button has a mode, type, color, border, corner radius, width, height, and sizes and positions of logo and label, each within limits",
                .documented,
                from: .webButtons,
                tests: "WebScriptButtonTests.attributes"
            ),
            .emulated(
                "The type `sign in`, with a space, is taken as well",
                .observed,
                from: .script,
                tests: "WebScriptButtonTests.attributes"
            ),
            .emulated(
                "The button can be reached and pressed by keyboard and is named for screen readers",
                .observed,
                from: .script,
                tests: "WebScriptButtonTests.keyboard"
            ),
            .emulated(
                "`/appleid/button`, `/appleid/button/left` and `/appleid/button/logo` draw the button",
                .documented,
                from: .centeredButton,
                .leftAlignedButton,
                .logoButton,
                tests: "WebScriptRouteTests.defaults",
                "WebScriptButtonTests.pictures"
            ),
            .missing(
                "The pictures are PNG and show Apple's logo",
                .documented,
                from: .centeredButton,
                .leftAlignedButton,
                .logoButton,
                because:
                    "they are SVG, sharp at every scale; the logo is Apple's alone, so an apple of our own stands in for it"
            ),
            .emulated(
                "A picture has size, color, border, corner radius, type, scale and language within limits; others are 404",
                .documented,
                from: .centeredButton,
                .leftAlignedButton,
                .logoButton,
                tests: "WebScriptRouteTests.limits",
                "WebScriptRouteTests.beyondLimits",
                "WebScriptRouteTests.beyondOwnLimits"
            ),
            .emulated(
                "The pictures speak 37 languages",
                .documented,
                from: .otherPlatforms,
                tests: "WebScriptRouteTests.languages",
                "WebScriptRouteTests.script",
                "WebScriptRouteTests.picture"
            ),
            .emulated(
                "Newer versions of the script send the same message as the one of 2019",
                .assumed,
                tests: "WebMessageTests.granted"
            ),
        ]
    )
}
