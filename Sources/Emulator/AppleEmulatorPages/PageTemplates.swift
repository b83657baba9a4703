import HTMLPages
import Mustache

/// The templates and the style sheet that are embedded in the program.
enum PageTemplates {
    private static let colors = String(decoding: PackageResources.colors_css, as: UTF8.self)

    static let styleSheet = colors + String(decoding: PackageResources.sheet_css, as: UTF8.self)

    static let consoleStyleSheet =
        colors + String(decoding: PackageResources.console_css, as: UTF8.self)

    static let accountStyleSheet =
        styleSheet + String(decoding: PackageResources.account_css, as: UTF8.self)

    static let flowStyleSheet =
        consoleStyleSheet + String(decoding: PackageResources.flow_css, as: UTF8.self)

    static func library() throws -> MustacheLibrary { try MustacheLibrary(pages: sources) }

    static let sources: [String: [UInt8]] = [
        "layout": PackageResources.layout_mustache,
        "form-start": PackageResources.formStart_mustache,
        "password-fields": PackageResources.passwordFields_mustache,
        "known-people": PackageResources.knownPeople_mustache,
        "person-buttons": PackageResources.personButtons_mustache,
        "trusted-device": PackageResources.trustedDevice_mustache,
        "digits-field": PackageResources.digitsField_mustache,
        "chooser": PackageResources.chooser_mustache, "sign-in": PackageResources.signIn_mustache,
        "two-factor": PackageResources.twoFactor_mustache,
        "consent": PackageResources.consent_mustache,
        "returning": PackageResources.returning_mustache,
        "form-post": PackageResources.formPost_mustache,
        "web-message": PackageResources.webMessage_mustache,
        "failure": PackageResources.failure_mustache, "home": PackageResources.home_mustache,
        "account-message": PackageResources.accountMessage_mustache,
        "account-sign-in": PackageResources.accountSignIn_mustache,
        "account-two-factor": PackageResources.accountTwoFactor_mustache,
        "account": PackageResources.account_mustache,
        "account-app": PackageResources.accountApp_mustache,
        "account-stop": PackageResources.accountStop_mustache,
        "account-delete": PackageResources.accountDelete_mustache,
        "account-failure": PackageResources.accountFailure_mustache,
        "flow-file": PackageResources.flowFile_mustache,
        "flow-story": PackageResources.flowStory_mustache, "flows": PackageResources.flows_mustache,
        "flow": PackageResources.flow_mustache, "flow-step": PackageResources.flowStep_mustache,
        "flow-lanes": PackageResources.flowLanes_mustache,
        "flow-excerpt": PackageResources.flowExcerpt_mustache,
        "console-layout": PackageResources.consoleLayout_mustache,
        "console-form": PackageResources.consoleForm_mustache,
        "console-add": PackageResources.consoleAdd_mustache,
        "console-fields": PackageResources.consoleFields_mustache,
        "console-filter": PackageResources.consoleFilter_mustache,
        "console-pages": PackageResources.consolePages_mustache,
        "console-overview": PackageResources.consoleOverview_mustache,
        "console-tour": PackageResources.consoleTour_mustache,
        "console-tour-steps": PackageResources.consoleTourSteps_mustache,
        "console-request-list": PackageResources.consoleRequestList_mustache,
        "console-people": PackageResources.consolePeople_mustache,
        "console-person": PackageResources.consolePerson_mustache,
        "console-apps": PackageResources.consoleApps_mustache,
        "console-client": PackageResources.consoleClient_mustache,
        "console-keys": PackageResources.consoleKeys_mustache,
        "console-key-made": PackageResources.consoleKeyMade_mustache,
        "console-inbox": PackageResources.consoleInbox_mustache,
        "console-mail": PackageResources.consoleMail_mustache,
        "console-notifications": PackageResources.consoleNotifications_mustache,
        "console-clock": PackageResources.consoleClock_mustache,
        "console-faults": PackageResources.consoleFaults_mustache,
        "console-requests": PackageResources.consoleRequests_mustache,
        "console-failure": PackageResources.consoleFailure_mustache,
    ]
}
