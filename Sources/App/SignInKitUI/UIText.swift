import Foundation
import SignInKit

/// The texts of the views.
///
/// The cases are keys of `Localizable.xcstrings`.
enum UIText: String, CaseIterable, Sendable {
    case signInTitle, signInLead, passwordLead, username, usernameOrEmail, password, signInButton
    case forgottenTitle, forgottenLead, sendLinkButton, mailSentLead
    case newAccountTitle, newAccountButton, haveAccount, nameOptional
    case accountTitle, saveButton, email, unverified, privateRelay, forwardingOff
    case emailAddress, addEmail, changeEmail, emailChangeNote, emailPending, resendButton
    case cancelEmailChangeButton
    case accessHeading, appleHeading, unlinkLabel, unlinkTitle, unlinkEndsSignIn, unlinkButton
    case onlyWayNote, addPassword, changePassword, currentPassword, newPassword
    case sessionsHeading, thisDevice, unknownDevice, endSession, endOthersButton, signOutButton
    case deleteHeading, deletionOfData, appleLinkRemains, deleteButton, keepAccountLink
    case confirmationTitle, confirmationLead, confirmButton, cancelLink, tryAgainButton
    case givenName, familyName, termsLink, privacyLink, progress, sessionEnded, sessionExpired

    /// The text in the language of a locale, usually that of the environment.
    func text(_ locale: Locale) -> String { Bundle.views(in: locale).text(rawValue) ?? rawValue }

    /// The identifier of a button or field in UI tests, such as `siwa.signInButton`.
    var identifier: String { "siwa." + rawValue }

    /// The text with a value in place of `{name}`.
    func text(_ locale: Locale, _ name: String, _ value: String) -> String {
        text(locale).replacing("{\(name)}", with: value)
    }
}

extension SignOutReason {
    /// The sentence that says why a session ended, in the language of a locale.
    ///
    /// - Parameter locale: the locale, such as that of the environment.
    /// - Returns: the sentence; nil if the user ended it.
    public func localizedMessage(in locale: Locale) -> String? {
        switch self {
        case .byUser, .deleted: nil
        case .revoked: SignInKitError(.revoked).localizedMessage(in: locale)
        case .expired: UIText.sessionExpired.text(locale)
        case .ended: UIText.sessionEnded.text(locale)
        }
    }
}

extension SignInKitError {
    /// The message in the user's language; the server's own message for a code that the views don't know.
    public var localizedMessage: String { localizedMessage(in: .current) }

    /// The message in the language of a locale, with the values of the server, such as the time to wait.
    ///
    /// - Parameter locale: the locale, such as that of the environment.
    /// - Returns: the message; the server's own one for a code that the views don't know.
    public func localizedMessage(in locale: Locale) -> String {
        filled(Bundle.views(in: locale).text(Self.key(of: code)) ?? message, locale)
    }

    /// A text with the server's values; the server's message if it did not send them.
    func filled(_ text: String, _ locale: Locale) -> String {
        let filled = parameters.reduce(text) { text, parameter in
            let value =
                parameter.key == "seconds"
                ? Self.duration(parameter.value, locale) : parameter.value
            return text.replacing("{\(parameter.key)}", with: value)
        }
        return filled.contains("{") ? message : filled
    }

    private static func duration(_ seconds: String, _ locale: Locale) -> String {
        let units = Duration.UnitsFormatStyle(allowedUnits: [.minutes, .seconds], width: .wide)
        // A server's number must not overflow.
        let count = min(max(Int(seconds) ?? 0, 0), 86_400)
        return Duration.seconds(count).formatted(units.locale(locale))
    }

    static let keyPrefix = "error."

    /// The key of a code's text: several codes that a user cannot tell apart share one.
    static func key(of code: String) -> String {
        if expiredCodes.contains(code) { return keyPrefix + "nonce_expired" }
        return keyPrefix + (technicalCodes.contains(code) ? "refused" : code)
    }

    /// The codes of a sign-in that has expired or was used.
    private static let expiredCodes: Set<String> = [
        "token_expired", "token_replayed", "token_not_yet_valid", "nonce_unknown", "nonce_used",
        "apple_refused_grant", "app_code_invalid",
    ]

    /// The codes about the app's requests or the server's settings, which no user can do anything about.
    static let technicalCodes: Set<String> = [
        "content_malformed", "content_too_large", "field_too_long", "content_type_unsupported",
        "field_invalid",
        "field_missing", "field_unknown", "json_unreadable", "cross_site_request", "not_found",
        "code_required", "code_verifier_invalid", "nonce_required", "redirect_uri_invalid",
        "redirect_uri_not_allowed", "redirect_uri_required", "redirect_uri_unexpected",
        "identity_mismatch", "token_access_token_hash_mismatch", "token_audience_mismatch",
        "token_code_hash_mismatch", "token_issuer_mismatch", "token_key_not_published",
        "token_malformed", "token_nonce_missing", "token_signature_invalid", "token_too_long",
        "token_unknown_key", "token_unsupported_algorithm", "token_wrong_kind",
        "apple_refused_client", "apple_refused_request", "client_secret_key_invalid",
        "configuration_invalid",
    ]
}

extension Bundle {
    fileprivate static var views: Bundle {
        #if SWIFT_PACKAGE
            .module
        #else
            // The sources were added to a framework of the app.
            Bundle(for: BundleMember.self)
        #endif
    }

    /// The texts in the language of a locale.
    fileprivate static func views(in locale: Locale) -> Bundle {
        let languages = preferredLocalizations(
            from: views.localizations,
            forPreferences: [locale.identifier(.bcp47)]
        )
        let folder = languages.first.flatMap { views.path(forResource: $0, ofType: "lproj") }
        return folder.flatMap { Bundle(path: $0) } ?? views
    }

    fileprivate func text(_ key: String) -> String? {
        let text = localizedString(forKey: key, value: "", table: nil)
        return text.isEmpty || text == key ? nil : text
    }
}

#if !SWIFT_PACKAGE
    private final class BundleMember {}
#endif
