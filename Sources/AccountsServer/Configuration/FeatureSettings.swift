import AppleIdentity
import SignInWithApple

/// The settings of features that a server may lack.
struct FeatureSettings {
    fileprivate let appRedirects: AppRedirects?
    fileprivate let allowedOrigins: AllowedOrigins?
    fileprivate let associatedApps: AssociatedApps?
    fileprivate let androidApps: AndroidApps?
    fileprivate let tokenAudiences: TokenAudiences?
    fileprivate let introspectionSecrets: IntrospectionSecrets?
    fileprivate let proxy: AppleProxy?

    /// Reads the settings; nil stands for one with a mistake, and for no proxy.
    init(
        _ values: ConfigurationValues,
        bundleIDs: [ClientID],
        _ mistakes: inout MistakeList
    ) {
        appRedirects = mistakes.note(
            try AppRedirects(values.list(AppRedirects.settingName), bundleIDs: bundleIDs)
        )
        allowedOrigins = mistakes.note(try AllowedOrigins(values.list(AllowedOrigins.settingName)))
        associatedApps = mistakes.note(try AssociatedApps(values.list(AssociatedApps.settingName)))
        androidApps = mistakes.note(try AndroidApps(values))
        tokenAudiences = mistakes.note(try TokenAudiences(values.list(TokenAudiences.settingName)))
        introspectionSecrets = mistakes.note(
            try IntrospectionSecrets(values.list(IntrospectionSecrets.settingName))
        )
        proxy = mistakes.note(try AppleProxy(values)) ?? nil
    }
}

extension AccountsServerConfiguration {
    mutating func take(_ features: FeatureSettings) {
        appRedirects = features.appRedirects ?? appRedirects
        allowedOrigins = features.allowedOrigins ?? allowedOrigins
        associatedApps = features.associatedApps ?? associatedApps
        androidApps = features.androidApps ?? androidApps
        tokenAudiences = features.tokenAudiences ?? tokenAudiences
        introspectionSecrets = features.introspectionSecrets ?? introspectionSecrets
        proxy = features.proxy
    }
}
