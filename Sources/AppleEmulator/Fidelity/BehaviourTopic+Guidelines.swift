extension BehaviourTopic {
    /// What Apple's guidelines ask of the button and of the app around it.
    static let guidelines = BehaviourTopic(
        title: "The guidelines for the button",
        behaviours: [
            .emulated(
                "A title has 43 % of the button's height, and leaves 8 % of the width at the end",
                .documented,
                from: .humanInterfaceGuidelines,
                tests: "WebScriptRouteTests.titleSize"
            ),
            .emulated(
                "The title has the system's font",
                .documented,
                from: .humanInterfaceGuidelines,
                tests: "WebScriptRouteTests.titleSize"
            ),
            .emulated(
                "The only titles are those to sign in, to sign up and to continue with Apple",
                .documented,
                from: .humanInterfaceGuidelines,
                tests: "WebScriptRouteTests.languages",
                "WebScriptRouteTests.beyondLimits"
            ),
            .emulated(
                "A button is black, white, or white with an outline",
                .documented,
                from: .humanInterfaceGuidelines,
                tests: "WebScriptRouteTests.inks",
                "WebScriptRouteTests.beyondLimits"
            ),
            .emulated(
                "Logo and title are both white or both black",
                .documented,
                from: .humanInterfaceGuidelines,
                tests: "WebScriptRouteTests.inks"
            ),
            .emulated(
                "A button with the logo alone is square",
                .documented,
                from: .humanInterfaceGuidelines,
                tests: "WebScriptButtonTests.attributes",
                "WebScriptRouteTests.defaults"
            ),
            .emulated(
                "The corners are as round as the page wants",
                .documented,
                from: .humanInterfaceGuidelines,
                tests: "WebScriptButtonTests.attributes",
                "WebScriptRouteTests.limits"
            ),
            .emulated(
                "A button is 30 points high at least",
                .documented,
                from: .humanInterfaceGuidelines,
                tests: "WebScriptRouteTests.beyondLimits"
            ),
            .emulated(
                "A button is 140 points wide at least; a narrower picture is drawn, and the request log says so",
                .documented,
                from: .humanInterfaceGuidelines,
                .centeredButton,
                tests: "WebScriptRouteTests.narrow",
                "WebScriptRouteTests.limits"
            ),
            .missing(
                "A title may be in capitals where the whole app is",
                .documented,
                from: .humanInterfaceGuidelines,
                because: "neither the script nor the pictures of Apple have a parameter for it"
            ),
            .missing(
                "A button is 44 points high if nothing else is wanted",
                .documented,
                from: .humanInterfaceGuidelines,
                because: "Apple's page of the pictures says 30, and the script fills its element"
            ),
            .missing(
                "A logo as PNG is for buttons of 44 points only",
                .documented,
                from: .humanInterfaceGuidelines,
                because: "the pictures here are SVG, sharp at every size"
            ),
            .missing(
                "The logo's file is as high as the button, and is not cropped or padded",
                .documented,
                from: .humanInterfaceGuidelines,
                because: "a rule for Apple's own artwork, which is not here"
            ),
            .missing(
                "Around a button a tenth of its height is free",
                .documented,
                from: .humanInterfaceGuidelines,
                because: "a rule for the app's page; App Review judges it"
            ),
            .missing(
                "White is for dark grounds, black for light ones, the outline for white and light ones",
                .documented,
                from: .humanInterfaceGuidelines,
                because: "a rule for the app's page; App Review judges it"
            ),
            .missing(
                "The button is no smaller than others to sign in, and is seen without scrolling",
                .documented,
                from: .humanInterfaceGuidelines,
                because: "a rule for the app's page; App Review judges it"
            ),
            .missing(
                "Who signed in is asked for no password, name or address as a condition",
                .documented,
                from: .humanInterfaceGuidelines,
                because: "a rule for the app; App Review judges it"
            ),
            .missing(
                "Who signed in is asked for no second factor of the app",
                .observed,
                from: .csdn,
                because: "a rule for the app; App Review judges it"
            ),
            .missing(
                "People can see their relay address in the app",
                .documented,
                from: .humanInterfaceGuidelines,
                because: "a rule for the app; App Review judges it"
            ),
        ]
    )
}
