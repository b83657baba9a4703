extension BehaviourTopic {
    /// `appleid.auth.js`, its popup, and the pictures of the button.
    static let script = BehaviourTopic(
        title: "The script and the button of a page",
        behaviours: [
            .missing(
                "The script stands at `/appleauth/static/jsapi/appleid/1/LOCALE/appleid.auth.js`",
                .documented,
                from: .webPage,
                because: "not built yet"
            ),
            .missing(
                "`AppleID.auth.init` takes client, redirect address, scope, state, nonce and whether to use a popup",
                .documented,
                from: .scriptConfiguration,
                .webPage,
                because: "not built yet"
            ),
            .missing(
                "Meta tags of the page configure the script as well",
                .documented,
                from: .webPage,
                because: "not built yet"
            ),
            .missing(
                "`signIn` takes the same fields for one call, and returns a promise in popup mode",
                .documented,
                from: .scriptSignIn,
                because: "not built yet"
            ),
            .missing(
                "`AppleID.auth.renderButton` draws the button again",
                .observed,
                from: .script,
                because: "not built yet"
            ),
            .missing(
                "A success has `authorization` with code, identity token and state, and `user` the first time only",
                .documented,
                from: .authorizeRequest,
                .webPage,
                because: "not built yet"
            ),
            .missing(
                "A failure has `error`",
                .documented,
                from: .scriptError,
                because: "not built yet"
            ),
            .missing(
                "A popup the person closes fails with `popup_closed_by_user`",
                .observed,
                from: .script,
                because: "not built yet"
            ),
            .missing(
                "A popup the browser blocks fails with `popup_blocked_by_browser`",
                .observed,
                from: .script,
                .appleSignIn75,
                because: "not built yet"
            ),
            .missing(
                "A second `signIn` ends the first one with `user_trigger_new_signin_flow`",
                .observed,
                from: .script,
                because: "not built yet"
            ),
            .missing(
                "Pressing *Cancel* in the popup fails with `user_cancelled_authorize`",
                .documented,
                from: .authorizeRequest,
                because: "not built yet"
            ),
            .missing(
                "The document gets the events `AppleIDSignInOnSuccess` and `AppleIDSignInOnFailure`",
                .documented,
                from: .webPage,
                because: "not built yet"
            ),
            .missing(
                "The detail of a success event has `authorization`",
                .observed,
                from: .supabase48567,
                because: "not built yet"
            ),
            .missing(
                "The detail of a success event has `data`",
                .documented,
                from: .webPage,
                because: "not built yet"
            ),
            .missing(
                "The document gets the event `AppleIDSigInLoaded` when the script is ready",
                .observed,
                from: .script,
                because: "not built yet"
            ),
            .missing(
                "The popup is 700 points wide and high and stands in the middle; whether it was closed is looked up every 300 ms",
                .observed,
                from: .script,
                because: "not built yet"
            ),
            .missing(
                "The popup answers by a message with a JSON text of `method` and `data`, taken from Apple's origin only",
                .observed,
                from: .script,
                because: "not built yet"
            ),
            .missing(
                "The script asks with `response_mode=web_message`, both response types, `frame_id`, `m` and `v`",
                .observed,
                from: .reactSignInAuth,
                because: "not built yet"
            ),
            .missing(
                "A popup answers its opener and sends nothing to the redirect address, which must be registered all the same",
                .observed,
                from: .reactSignInAuth,
                .reactAppleSigninAuth84,
                .reactAppleLogin8,
                because: "not built yet"
            ),
            .missing(
                "An opener with the policy `same-origin` never hears from its popup",
                .observed,
                from: .diplicityReact565,
                because: "not built yet"
            ),
            .missing(
                "Hidden meta tags let the script of 2019 talk to another address",
                .observed,
                from: .script,
                because: "not built yet"
            ),
            .missing(
                "The script fills the element `appleid-signin` with the button that its data attributes describe",
                .documented,
                from: .webButtons,
                because: "not built yet"
            ),
            .missing(
                "The button has a mode, type, color, border, corner radius, width, height, and sizes and positions of logo and label, each within limits",
                .documented,
                from: .webButtons,
                because: "not built yet"
            ),
            .missing(
                "The type `sign in`, with a space, is taken as well",
                .observed,
                from: .script,
                because: "not built yet"
            ),
            .missing(
                "The button can be reached and pressed by keyboard and is named for screen readers",
                .observed,
                from: .script,
                because: "not built yet"
            ),
            .missing(
                "`/appleid/button`, `/appleid/button/left` and `/appleid/button/logo` draw the button as PNG",
                .documented,
                from: .centeredButton,
                .leftAlignedButton,
                .logoButton,
                because: "not built yet"
            ),
            .missing(
                "A picture has size, color, border, corner radius, type, scale and language within limits; others are 404",
                .documented,
                from: .centeredButton,
                .leftAlignedButton,
                .logoButton,
                because: "not built yet"
            ),
            .missing(
                "The pictures speak 37 languages",
                .documented,
                from: .otherPlatforms,
                because: "not built yet"
            ),
            .missing(
                "Newer versions of the script send the same message as the one of 2019",
                .assumed,
                because: "not built yet"
            ),
        ]
    )
}
