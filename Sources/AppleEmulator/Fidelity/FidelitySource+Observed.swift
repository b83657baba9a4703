/// What people found out and told in public.
extension FidelitySource {
    static let wellKnown = FidelitySource(
        "dated copies of discovery and keys",
        "https://github.com/panva/wellknown/tree/main/issuers/apple"
    )
    static let wholeFlow = FidelitySource(
        "a whole flow, pasted",
        "https://github.com/WHITEPAEK/demo-sign-in-with-apple"
    )
    static let liveTests = FidelitySource(
        "tests against the live service",
        "https://github.com/a-tokyo/apple-signin-auth/blob/main/__tests__/index.test.js"
    )
    static let sampleOf2019 = FidelitySource(
        "sample of 2019",
        "https://github.com/aaronpk/sign-in-with-apple-example/blob/master/index.php"
    )
    static let invalidClientGuide = FidelitySource(
        "fluffy.es, invalid_client",
        "https://fluffy.es/how-to-solve-invalid_client-error-in-sign-in-with-apple/"
    )
    static let script = FidelitySource(
        "Apple's script, 1.1.6",
        "https://appleid.cdn-apple.com/appleauth/static/jsapi/appleid/1/en_US/appleid.auth.js"
    )
    static let forum716494 = FidelitySource(
        "forum 716494",
        "https://developer.apple.com/forums/thread/716494"
    )
    static let forum660531 = FidelitySource(
        "forum 660531",
        "https://developer.apple.com/forums/thread/660531"
    )
    static let forum650757 = FidelitySource(
        "forum 650757",
        "https://developer.apple.com/forums/thread/650757"
    )
    static let forum707610 = FidelitySource(
        "forum 707610",
        "https://developer.apple.com/forums/thread/707610"
    )
    static let forum708984 = FidelitySource(
        "forum 708984",
        "https://developer.apple.com/forums/thread/708984"
    )
    static let forum655485 = FidelitySource(
        "forum 655485",
        "https://developer.apple.com/forums/thread/655485"
    )
    static let forum809509 = FidelitySource(
        "forum 809509",
        "https://developer.apple.com/forums/thread/809509"
    )
    static let forum811848 = FidelitySource(
        "forum 811848",
        "https://developer.apple.com/forums/thread/811848"
    )
    static let forum830681 = FidelitySource(
        "forum 830681",
        "https://developer.apple.com/forums/thread/830681"
    )
    static let forum795172 = FidelitySource(
        "forum 795172",
        "https://developer.apple.com/forums/thread/795172"
    )
    static let forum798226 = FidelitySource(
        "forum 798226",
        "https://developer.apple.com/forums/thread/798226"
    )
    static let forum122270 = FidelitySource(
        "forum 122270",
        "https://developer.apple.com/forums/thread/122270"
    )
    static let forum826618 = FidelitySource(
        "forum 826618",
        "https://developer.apple.com/forums/thread/826618"
    )
    static let reactAppleLogin28 = FidelitySource(
        "patelmayankce/react-apple-login#28",
        "https://github.com/patelmayankce/react-apple-login/issues/28"
    )
    static let reactAppleLogin8 = FidelitySource(
        "patelmayankce/react-apple-login#8",
        "https://github.com/patelmayankce/react-apple-login/issues/8"
    )
    static let reactSignInAuth = FidelitySource(
        "react-apple-signin-auth",
        "https://github.com/a-tokyo/react-apple-signin-auth"
    )
    static let reactAppleSigninAuth84 = FidelitySource(
        "a-tokyo/react-apple-signin-auth#84",
        "https://github.com/a-tokyo/react-apple-signin-auth/issues/84"
    )
    static let diplicityReact565 = FidelitySource(
        "johnpooch/diplicity-react#565",
        "https://github.com/johnpooch/diplicity-react/pull/565"
    )
    static let openauth241 = FidelitySource(
        "anomalyco/openauth#241",
        "https://github.com/anomalyco/openauth/issues/241"
    )
    static let appleSigninAuth180 = FidelitySource(
        "a-tokyo/apple-signin-auth#180",
        "https://github.com/a-tokyo/apple-signin-auth/issues/180"
    )
    static let betterAuth8870 = FidelitySource(
        "better-auth/better-auth#8870",
        "https://github.com/better-auth/better-auth/pull/8870"
    )
    static let betterAuth10294 = FidelitySource(
        "better-auth/better-auth#10294",
        "https://github.com/better-auth/better-auth/pull/10294"
    )
    static let socialiteApple2 = FidelitySource(
        "seoda/socialite-apple#2",
        "https://github.com/seoda/socialite-apple/issues/2"
    )
    static let appleId6 = FidelitySource(
        "nov/apple_id#6",
        "https://github.com/nov/apple_id/issues/6"
    )
    static let appleId21 = FidelitySource(
        "nov/apple_id#21",
        "https://github.com/nov/apple_id/issues/21"
    )
    static let directus21339 = FidelitySource(
        "directus/directus#21339",
        "https://github.com/directus/directus/issues/21339"
    )
    static let passportApple22 = FidelitySource(
        "ananay/passport-apple#22",
        "https://github.com/ananay/passport-apple/issues/22"
    )
    static let casdoor2453 = FidelitySource(
        "casdoor/casdoor#2453",
        "https://github.com/casdoor/casdoor/issues/2453"
    )
    static let capacitorSocialLogin80 = FidelitySource(
        "Cap-go/capacitor-social-login#80",
        "https://github.com/Cap-go/capacitor-social-login/issues/80"
    )
    static let socialCore1321 = FidelitySource(
        "python-social-auth/social-core#1321",
        "https://github.com/python-social-auth/social-core/issues/1321"
    )
    static let socialCore492 = FidelitySource(
        "python-social-auth/social-core#492",
        "https://github.com/python-social-auth/social-core/issues/492"
    )
    static let passportApple37 = FidelitySource(
        "nicokaiser/passport-apple#37",
        "https://github.com/nicokaiser/passport-apple/issues/37"
    )
    static let passportApple79 = FidelitySource(
        "nicokaiser/passport-apple#79",
        "https://github.com/nicokaiser/passport-apple/issues/79"
    )
    static let passportApple86 = FidelitySource(
        "nicokaiser/passport-apple#86",
        "https://github.com/nicokaiser/passport-apple/pull/86"
    )
    static let appleSignIn23 = FidelitySource(
        "capacitor-community/apple-sign-in#23",
        "https://github.com/capacitor-community/apple-sign-in/issues/23"
    )
    static let appleSignIn75 = FidelitySource(
        "capacitor-community/apple-sign-in#75",
        "https://github.com/capacitor-community/apple-sign-in/issues/75"
    )
    static let signInWithAppleExample4 = FidelitySource(
        "aaronpk/sign-in-with-apple-example#4",
        "https://github.com/aaronpk/sign-in-with-apple-example/issues/4"
    )
    static let appAuthIOS586 = FidelitySource(
        "openid/AppAuth-iOS#586",
        "https://github.com/openid/AppAuth-iOS/issues/586"
    )
    static let shouldKnow = FidelitySource(
        "what to know about it",
        "https://www.oncrashreboot.com/sign-in-with-apple-you-should-know"
    )
    static let omniauthApple100 = FidelitySource(
        "nhosoya/omniauth-apple#100",
        "https://github.com/nhosoya/omniauth-apple/issues/100"
    )
    static let freehire1735 = FidelitySource(
        "strelov1/freehire#1735",
        "https://github.com/strelov1/freehire/pull/1735"
    )
    static let supabaseAuth2051 = FidelitySource(
        "supabase/auth#2051",
        "https://github.com/supabase/auth/issues/2051"
    )
    static let supabaseAuth2068 = FidelitySource(
        "supabase/auth#2068",
        "https://github.com/supabase/auth/pull/2068"
    )
    static let supabase48567 = FidelitySource(
        "supabase/supabase#48567",
        "https://github.com/supabase/supabase/issues/48567"
    )
    static let supabase10591 = FidelitySource(
        "supabase/supabase#10591",
        "https://github.com/supabase/supabase/issues/10591"
    )
    static let instant1293 = FidelitySource(
        "instantdb/instant#1293",
        "https://github.com/instantdb/instant/issues/1293"
    )
    static let kratos4433 = FidelitySource(
        "ory/kratos#4433",
        "https://github.com/ory/kratos/issues/4433"
    )
    static let laravelSignInWithApple9 = FidelitySource(
        "mikebronner/laravel-sign-in-with-apple#9",
        "https://github.com/mikebronner/laravel-sign-in-with-apple/issues/9"
    )
    static let laravelSignInWithApple24 = FidelitySource(
        "mikebronner/laravel-sign-in-with-apple#24",
        "https://github.com/mikebronner/laravel-sign-in-with-apple/issues/24"
    )
    static let appleIdentityProviderKeycloak18 = FidelitySource(
        "klausbetz/apple-identity-provider-keycloak#18",
        "https://github.com/klausbetz/apple-identity-provider-keycloak/issues/18"
    )
    static let appleIdentityProviderKeycloak47 = FidelitySource(
        "klausbetz/apple-identity-provider-keycloak#47",
        "https://github.com/klausbetz/apple-identity-provider-keycloak/issues/47"
    )
    static let keycloakAppleSocialIdentityProvider23 = FidelitySource(
        "BenjaminFavre/keycloak-apple-social-identity-provider#23",
        "https://github.com/BenjaminFavre/keycloak-apple-social-identity-provider/issues/23"
    )
    static let socialite635 = FidelitySource(
        "laravel/socialite#635",
        "https://github.com/laravel/socialite/issues/635"
    )
    static let appleAuth7 = FidelitySource(
        "ananay/apple-auth#7",
        "https://github.com/ananay/apple-auth/issues/7"
    )
    static let appleAuth31 = FidelitySource(
        "ananay/apple-auth#31",
        "https://github.com/ananay/apple-auth/issues/31"
    )
    static let appleAuth41 = FidelitySource(
        "ananay/apple-auth#41",
        "https://github.com/ananay/apple-auth/pull/41"
    )
    static let djangoAllauth2836 = FidelitySource(
        "pennersr/django-allauth#2836",
        "https://github.com/pennersr/django-allauth/issues/2836"
    )
    static let goSigninWithApple39 = FidelitySource(
        "Timothylock/go-signin-with-apple#39",
        "https://github.com/Timothylock/go-signin-with-apple/issues/39"
    )
    static let dartPackages108 = FidelitySource(
        "aboutyou/dart_packages#108",
        "https://github.com/aboutyou/dart_packages/issues/108"
    )
    static let reactNativeAppleAuthentication17 = FidelitySource(
        "invertase/react-native-apple-authentication#17",
        "https://github.com/invertase/react-native-apple-authentication/issues/17"
    )
    static let reactNativeAppleAuthentication28 = FidelitySource(
        "invertase/react-native-apple-authentication#28",
        "https://github.com/invertase/react-native-apple-authentication/issues/28"
    )
    static let reactNativeAppleAuthentication76 = FidelitySource(
        "invertase/react-native-apple-authentication#76",
        "https://github.com/invertase/react-native-apple-authentication/issues/76"
    )
    static let reactNativeAppleAuthentication340 = FidelitySource(
        "invertase/react-native-apple-authentication#340",
        "https://github.com/invertase/react-native-apple-authentication/issues/340"
    )
    static let appleSigninUnity146 = FidelitySource(
        "lupidan/apple-signin-unity#146",
        "https://github.com/lupidan/apple-signin-unity/issues/146"
    )
    static let parseServer6408 = FidelitySource(
        "parse-community/parse-server#6408",
        "https://github.com/parse-community/parse-server/issues/6408"
    )
    static let nodeAppleSignin11 = FidelitySource(
        "Techofficer/node-apple-signin#11",
        "https://github.com/Techofficer/node-apple-signin/issues/11"
    )
    static let appleSignInPhpSdk39 = FidelitySource(
        "AzimoLabs/apple-sign-in-php-sdk#39",
        "https://github.com/AzimoLabs/apple-sign-in-php-sdk/issues/39"
    )
    static let hasuraAuth599 = FidelitySource(
        "nhost/hasura-auth#599",
        "https://github.com/nhost/hasura-auth/issues/599"
    )
    static let firebaseIOSSDK15571 = FidelitySource(
        "firebase/firebase-ios-sdk#15571",
        "https://github.com/firebase/firebase-ios-sdk/issues/15571"
    )
    static let jwtKit59 = FidelitySource(
        "vapor/jwt-kit#59",
        "https://github.com/vapor/jwt-kit/pull/59"
    )
    static let appleAuth29 = FidelitySource(
        "rootstrap/apple_auth#29",
        "https://github.com/rootstrap/apple_auth/pull/29"
    )
    static let jwtDecoder = FidelitySource(
        "AppleJWTDecoder",
        "https://github.com/SyncServerII/AppleJWTDecoder/blob/main/Sources/AppleJWTDecoder/AppleSignInClaims.swift"
    )
    static let openedxPlatform32531 = FidelitySource(
        "openedx/openedx-platform#32531",
        "https://github.com/openedx/openedx-platform/pull/32531"
    )
    static let sendKit = FidelitySource(
        "SendKit",
        "https://sendkit.dev/docs/knowledge-base/apple-private-relay"
    )
    static let moEngage = FidelitySource(
        "MoEngage",
        "https://help.moengage.com/hc/en-us/articles/17998515365780-Sign-In-With-Apple"
    )
    static let wisely = FidelitySource(
        "Wisely",
        "https://getwisely.zendesk.com/hc/en-us/articles/35827501331483-Configuring-Sign-in-with-Apple-for-Private-Email-Relay-Email-Delivery"
    )
    static let tamingDNS = FidelitySource(
        "Taming DNS",
        "https://tamingdns.com/bounce-decoder/apple"
    )
    static let suped = FidelitySource(
        "Suped",
        "https://www.suped.com/knowledge/email-deliverability/troubleshooting/what-causes-571-email-rejected-due-to-transformation-error-bounces-from-apples-privaterelayapple"
    )
    static let sisimai = FidelitySource(
        "Sisimai",
        "https://github.com/sisimai/rb-sisimai/blob/5-stable/lib/sisimai/rhost/apple.rb"
    )
    static let customerIO = FidelitySource(
        "Customer.io",
        "https://docs.customer.io/journeys/authenticating-for-apple-private-email-relay"
    )
    static let cordovaPluginSignInWithApple41 = FidelitySource(
        "twogate/cordova-plugin-sign-in-with-apple#41",
        "https://github.com/twogate/cordova-plugin-sign-in-with-apple/issues/41"
    )
    static let credentialStateNumbers = FidelitySource(
        "react-native-apple-authentication, credential states",
        "https://github.com/Gegam/react-native-apple-authentication/blob/master/docs/enums/_lib_index_d_.applecredentialstate.md"
    )
    static let csdn = FidelitySource(
        "CSDN, App Review",
        "https://blog.csdn.net/pxfwater/article/details/115525498"
    )
    static let channelAsia = FidelitySource(
        "Channel Asia",
        "https://www.channelasia.tech/article/699092/sign-apple-comes-enterprise/"
    )
}
