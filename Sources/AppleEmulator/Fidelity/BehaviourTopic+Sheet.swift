extension BehaviourTopic {
    /// Who signs in, and what they are asked.
    static let sheet = BehaviourTopic(
        title: "The person and the sheet",
        behaviours: [
            .emulated(
                "On the web any Apple Account signs in",
                .documented,
                from: .authenticatingUsers,
                control: "`POST /people`, seed `people`",
                tests: "SheetTests.wholeWay",
                "SheetTests.switchAccount"
            ),
            .emulated(
                "An account has a second factor: password and six digits",
                .documented,
                from: .authenticatingUsers,
                control: "`two_factor` of a person",
                tests: "SheetTests.wholeWay",
                "SheetTests.wrongDigits"
            ),
            .emulated(
                "The first time the sheet asks for the name, filled in and open to change",
                .documented,
                from: .authenticatingUsers,
                tests: "SheetTests.wholeWay",
                "SheetPageContentTests.consentOffersTheNameForEditingAndSharingAtFirst"
            ),
            .emulated(
                "A changed name can be undone; here the browser has no script, so a button asks for the page again",
                .assumed,
                tests: "SheetChoiceTests.undo",
                "SheetChoiceTests.undoElsewhere"
            ),
            .emulated(
                "Several people can be signed in to one browser: who comes chooses, or takes another account",
                .assumed,
                tests: "AccountChooserTests.choose",
                "AccountChooserTests.other",
                "AccountChooserTests.signOut",
                "AccountChooserTests.strangers"
            ),
            .emulated(
                "The first app of an account comes with a word about data and privacy",
                .assumed,
                tests: "SheetChoiceTests.privacy"
            ),
            .emulated(
                "An account with several verified addresses chooses the one to share",
                .assumed,
                control: "`other_emails` of a person, `shared_email` of a decision",
                tests: "SheetChoiceTests.severalAddresses",
                "SheetChoiceTests.foreignAddress",
                "SheetChoiceTests.beforehand"
            ),
            .emulated(
                "A Services ID without a name of its own shows the name of its primary app",
                .assumed,
                control: "`name` of a Services ID",
                tests: "AccountKindTests.primaryName"
            ),
            .emulated(
                "The first time the sheet asks whether to share or hide the e-mail address",
                .documented,
                from: .authenticatingUsers,
                tests: "SheetTests.wholeWay",
                "SheetPageContentTests.consentKeepsTheChoiceToHide"
            ),
            .emulated(
                "The sheet asks only for what the app asked for",
                .documented,
                from: .authorizeRequest,
                tests: "SheetPageContentTests.consentAsksOnlyForWhatTheAppAskedFor"
            ),
            .emulated(
                "Consent is asked once for a group of apps, on the web and on devices together",
                .documented,
                from: .environment,
                .groupingApps,
                tests: "PeopleTests.group"
            ),
            .emulated(
                "A grouped app shows no first-time sheet of its own",
                .observed,
                from: .forum795172,
                tests: "PeopleTests.group"
            ),
            .emulated(
                "Who comes back sees the short sheet and is asked nothing",
                .documented,
                from: .authenticatingUsers,
                tests: "SheetTests.returning"
            ),
            .emulated(
                "Who stopped using the app is asked again, name and all",
                .documented,
                from: .manageApps,
                .tokenRevocation,
                control: "`POST /people/{email}/stop-using`",
                tests: "PeopleTests.comingBack",
                "SheetBindingTests.consentEnded"
            ),
            .missing(
                "After a manual stop it can take hours until the first-time sheet comes back",
                .observed,
                from: .cordovaPluginSignInWithApple41,
                .reactNativeAppleAuthentication340,
                because: "nobody wants to wait in a test: here it comes back at once"
            ),
            .missing(
                "After a manual stop the name can be missing though the address comes",
                .observed,
                from: .cordovaPluginSignInWithApple41,
                .reactNativeAppleAuthentication340,
                because: "nobody knows when; here both come"
            ),
            .emulated(
                "Name and choice can't be made on behalf of a person who was not asked",
                .assumed,
                tests: "SheetBindingTests.otherBrowser",
                "SheetBindingTests.foreignForm",
                "SheetBindingTests.consentEnded"
            ),
            .emulated(
                "The person may take ten minutes and five attempts",
                .assumed,
                tests: "SheetTests.bounds",
                "SheetTests.attempts"
            ),
            .emulated(
                "A browser stays signed in for eight hours",
                .assumed,
                tests: "AccountSignInTests.session",
                "AccountChooserTests.gone"
            ),
            .emulated(
                "A managed account (Work & School) can't hide its address",
                .observed,
                from: .channelAsia,
                control: "`managed` of a person",
                tests: "SheetTests.managed",
                "AccountKindTests.managedSheet",
                "SheetPageContentTests.managedAccountsCannotHideTheirAddress"
            ),
            .missing(
                "Administrators allow their managed accounts all apps or a list",
                .documented,
                from: .schoolManager,
                because: "there are no administrators here; remove the person instead"
            ),
            .missing(
                "Students on devices nobody manages need a code from the school",
                .documented,
                from: .schoolManager,
                because: "there are no schools here; `two_factor` asks for six digits"
            ),
            .missing(
                "Accounts of children have rules of their own",
                .assumed,
                because: "nothing is known about them"
            ),
            .emulated(
                "The sheet speaks the browser's language: English, German, French, Spanish, Japanese, Korean or Arabic",
                .assumed,
                control: "`Accept-Language` of the browser",
                tests: "SheetLanguageTests.spoken",
                "SheetLanguageTests.preferred",
                "SheetLanguageTests.complete"
            ),
            .missing(
                "The sheet speaks the other languages of Apple",
                .assumed,
                because:
                    "seven are enough to see long words, other scripts and writing from right to left"
            ),
            .missing(
                "Safari on Apple's devices hands the page over to the system's sheet",
                .observed,
                from: .supabaseAuth2068,
                because: "Safari does that for Apple's host name only"
            ),
            .emulated(
                "The person sees the apps that use the account, one for each group, and can stop using them, on a page of their own",
                .documented,
                from: .manageApps,
                control: "`/account` on Apple's port",
                tests: "AccountAppTests.list",
                "AccountAppTests.shared",
                "AccountAppTests.stopUsing",
                "AccountAppTests.forwarding"
            ),
            .emulated(
                "The person chooses among several verified addresses where mail goes",
                .documented,
                from: .privateRelay,
                .manageApps,
                control: "`/account` on Apple's port; `other_emails` of a person",
                tests: "AccountAppTests.forwardTo",
                "AccountAppTests.oneAddress"
            ),
            .emulated(
                "The person can sign out of and delete the Apple Account on that page",
                .assumed,
                control: "`/account` on Apple's port",
                tests: "AccountSignInTests.signOut",
                "AccountAppTests.delete"
            ),
            .emulated(
                "That page and the sheet share one sign-in",
                .assumed,
                tests: "AccountSignInTests.oneSession"
            ),
            .emulated(
                "Nobody else's page can do there what the person can",
                .assumed,
                tests: "AccountFormTests.token",
                "AccountFormTests.foreignSite",
                "AccountFormTests.noSession"
            ),
        ]
    )
}
