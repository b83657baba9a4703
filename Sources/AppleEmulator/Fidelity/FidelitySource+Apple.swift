/// Pages of Apple's.
extension FidelitySource {
    static let authorizeRequest = FidelitySource(
        "Apple, authorize request",
        "https://developer.apple.com/documentation/signinwithapplerestapi/request-an-authorization-to-the-sign-in-with-apple-server."
    )
    static let tokenValidation = FidelitySource(
        "Apple, token validation",
        "https://developer.apple.com/documentation/signinwithapplerestapi/generate-and-validate-tokens"
    )
    static let tokenResponse = FidelitySource(
        "Apple, token response",
        "https://developer.apple.com/documentation/signinwithapplerestapi/tokenresponse"
    )
    static let errorResponse = FidelitySource(
        "Apple, error response",
        "https://developer.apple.com/documentation/signinwithapplerestapi/errorresponse"
    )
    static let tokenRevocation = FidelitySource(
        "Apple, token revocation",
        "https://developer.apple.com/documentation/signinwithapplerestapi/revoke-tokens"
    )
    static let keySet = FidelitySource(
        "Apple, key set",
        "https://developer.apple.com/documentation/signinwithapplerestapi/jwkset/keys-data.dictionary"
    )
    static let publicKeys = FidelitySource(
        "Apple, public keys",
        "https://developer.apple.com/documentation/signinwithapplerestapi/fetch-apple's-public-key-for-verifying-token-signature"
    )
    static let clientSecret = FidelitySource(
        "Apple, client secret",
        "https://developer.apple.com/documentation/accountorganizationaldatasharing/creating-a-client-secret"
    )
    static let organizationalData = FidelitySource(
        "Apple, organizational data sharing",
        "https://developer.apple.com/documentation/accountorganizationaldatasharing"
    )
    static let authenticatingUsers = FidelitySource(
        "Apple, authenticating users",
        "https://developer.apple.com/documentation/signinwithapple/authenticating-users-with-sign-in-with-apple"
    )
    static let identityToken = FidelitySource(
        "Apple, identity token",
        "https://developer.apple.com/documentation/signinwithapplejs/authorizationi/id_token"
    )
    static let verifyingUser = FidelitySource(
        "Apple, verifying a user",
        "https://developer.apple.com/documentation/signinwithapple/verifying-a-user"
    )
    static let environment = FidelitySource(
        "Apple, configuring the environment",
        "https://developer.apple.com/documentation/signinwithapple/configuring-your-environment-for-sign-in-with-apple"
    )
    static let webHelp = FidelitySource(
        "Apple, help for the web",
        "https://developer.apple.com/help/account/configure-app-capabilities/configure-sign-in-with-apple-for-the-web"
    )
    static let groupingApps = FidelitySource(
        "Apple, grouping apps",
        "https://developer.apple.com/help/account/configure-app-capabilities/group-apps-for-sign-in-with-apple"
    )
    static let notifications = FidelitySource(
        "Apple, account changes",
        "https://developer.apple.com/documentation/signinwithapple/processing-changes-for-sign-in-with-apple-accounts"
    )
    static let notificationsMirror = FidelitySource(
        "Apple, account changes, newer copy",
        "https://apple-docs.everest.mt/docs/signinwithapple/processing-changes-for-sign-in-with-apple-accounts/"
    )
    static let notificationHelp = FidelitySource(
        "Apple, enabling notifications",
        "https://developer.apple.com/help/account/capabilities/enabling-server-to-server-notifications"
    )
    static let korea = FidelitySource(
        "Apple, news for Korea",
        "https://developer.apple.com/news/?id=j5j9ep1b"
    )
    static let technote3107 = FidelitySource(
        "Apple, TN3107",
        "https://developer.apple.com/documentation/technotes/tn3107-resolving-sign-in-with-apple-response-errors"
    )
    static let technote3159 = FidelitySource(
        "Apple, TN3159",
        "https://developer.apple.com/documentation/technotes/tn3159-migrating-sign-in-with-apple-users-for-an-app-transfer"
    )
    static let technote3194 = FidelitySource(
        "Apple, TN3194",
        "https://developer.apple.com/documentation/technotes/tn3194-handling-account-deletions-and-revoking-tokens-for-sign-in-with-apple"
    )
    static let forum708415 = FidelitySource(
        "Apple, forum 708415",
        "https://developer.apple.com/forums/thread/708415"
    )
    static let accountDeletion = FidelitySource(
        "Apple, account deletion",
        "https://developer.apple.com/support/offering-account-deletion-in-your-app/"
    )
    static let transferringAway = FidelitySource(
        "Apple, transferring apps and users",
        "https://developer.apple.com/documentation/signinwithapple/transferring-your-apps-and-users-to-another-team"
    )
    static let bringingIn = FidelitySource(
        "Apple, bringing in apps and users",
        "https://developer.apple.com/documentation/signinwithapple/bringing-new-apps-and-users-into-your-team"
    )
    static let privateRelay = FidelitySource(
        "Apple, private relay",
        "https://developer.apple.com/documentation/signinwithapple/communicating-using-the-private-email-relay-service"
    )
    static let privateRelayMirror = FidelitySource(
        "Apple, private relay, newer copy",
        "https://apple-docs.everest.mt/docs/signinwithapple/communicating-using-the-private-email-relay-service/"
    )
    static let privateRelayHelp = FidelitySource(
        "Apple, configuring the relay",
        "https://developer.apple.com/help/account/capabilities/configure-private-email-relay-service/"
    )
    static let webPage = FidelitySource(
        "Apple, configuring a page",
        "https://developer.apple.com/documentation/signinwithapple/configuring-your-webpage-for-sign-in-with-apple"
    )
    static let scriptConfiguration = FidelitySource(
        "Apple, script configuration",
        "https://developer.apple.com/documentation/signinwithapplejs/clientconfigi"
    )
    static let scriptSignIn = FidelitySource(
        "Apple, signIn of the script",
        "https://developer.apple.com/documentation/signinwithapplejs/authi/signin"
    )
    static let scriptError = FidelitySource(
        "Apple, error of the script",
        "https://developer.apple.com/documentation/signinwithapplejs/signinerrori"
    )
    static let webButtons = FidelitySource(
        "Apple, buttons on the web",
        "https://developer.apple.com/documentation/signinwithapple/displaying-sign-in-with-apple-buttons-on-the-web"
    )
    static let centeredButton = FidelitySource(
        "Apple, centered button image",
        "https://developer.apple.com/documentation/signinwithapplerestapi/get-a-sign-in-with-apple-button-that-is-center-aligned."
    )
    static let leftAlignedButton = FidelitySource(
        "Apple, left-aligned button image",
        "https://developer.apple.com/documentation/signinwithapplerestapi/get-a-sign-in-with-apple-button-that-is-left-aligned."
    )
    static let logoButton = FidelitySource(
        "Apple, logo button image",
        "https://developer.apple.com/documentation/signinwithapplerestapi/get-a-sign-in-with-apple-button-that-contains-just-the-apple-logo."
    )
    static let otherPlatforms = FidelitySource(
        "Apple, other platforms",
        "https://developer.apple.com/documentation/signinwithapple/incorporating-sign-in-with-apple-into-other-platforms"
    )
    static let humanInterfaceGuidelines = FidelitySource(
        "Apple, Human Interface Guidelines",
        "https://developer.apple.com/design/human-interface-guidelines/sign-in-with-apple"
    )
    static let rosterAPI = FidelitySource(
        "Apple, Roster API",
        "https://developer.apple.com/documentation/rosterapi/integrating-with-roster-api-and-sign-in-with-apple"
    )
    static let credentialState = FidelitySource(
        "Apple, credential state",
        "https://developer.apple.com/documentation/authenticationservices/asauthorizationappleidprovider/credentialstate"
    )
    static let manageApps = FidelitySource(
        "Apple, managing apps",
        "https://support.apple.com/102571"
    )
    static let schoolManager = FidelitySource(
        "Apple, School Manager",
        "https://support.apple.com/guide/apple-school-manager/axmc55f52fac/web"
    )
}
