import Foundation
import SignInKit

/// The texts of the views.
///
/// The cases are keys of `Localizable.xcstrings`.
enum UIText: String, CaseIterable, Sendable {
    case signInTitle, signInLead, passwordLead, username, password, signInButton
    case forgottenTitle, forgottenLead, sendLinkButton, mailSentLead
    case newAccountTitle, newAccountButton, haveAccount, nameOptional
    case accountTitle, name, saveButton, email, unverified, privateRelay, forwardingOff
    case emailAddress, addEmail, changeEmail, emailChangeNote, emailPending, resendButton
    case cancelEmailChangeButton
    case accessHeading, appleHeading, unlinkLabel, unlinkTitle, unlinkEndsSignIn, unlinkButton
    case onlyWayNote, addPassword, changePassword, currentPassword, newPassword
    case sessionsHeading, thisDevice, unknownDevice, endSession, endOthersButton, signOutButton
    case deleteHeading, deletionOfData, appleLinkRemains, deleteButton, keepAccountLink
    case confirmationTitle, confirmationLead, confirmButton, cancelLink, tryAgainButton

    /// The text in the user's language.
    var text: String { Bundle.views.localizedString(forKey: rawValue, value: nil, table: nil) }

    /// The text with a value in place of `{name}`.
    func text(_ name: String, _ value: String) -> String {
        text.replacing("{\(name)}", with: value)
    }
}

extension SignInKitError {
    /// The message in the user's language; the server's own message for a code that the views don't know.
    public var localizedMessage: String {
        Bundle.views.localizedString(forKey: Self.keyPrefix + code, value: message, table: nil)
    }

    static let keyPrefix = "error."
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
}

#if !SWIFT_PACKAGE
    private final class BundleMember {}
#endif
