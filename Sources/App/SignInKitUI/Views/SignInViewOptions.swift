/// What a sign-in view shows.
public struct SignInViewOptions: Hashable, Sendable {
    /// Where a sign-in view is.
    public enum Mode: Hashable, Sendable {
        /// A screen of its own.
        case screen
        /// A sheet, which has a button to cancel and dismisses itself after the sign-in.
        case sheet
    }

    /// The label of Apple's button.
    public var buttonLabel: AppleButtonLabel
    /// The colors of Apple's button.
    public var buttonStyle: AppleButtonStyle
    /// Whether the form for a username and a password is shown where the server offers it.
    public var showsPasswordForm: Bool
    /// Whether the device's stored credentials are offered, once after the launch, if no session has just ended; only
    /// with the form.
    public var offersStoredCredentials: Bool

    /// Creates options.
    ///
    /// - Parameters:
    ///   - buttonLabel: the label of Apple's button.
    ///   - buttonStyle: its colors.
    ///   - showsPasswordForm: whether the form for a password is shown where the server offers it.
    ///   - offersStoredCredentials: whether the device's stored credentials are offered once after the launch.
    public init(
        buttonLabel: AppleButtonLabel = .signIn,
        buttonStyle: AppleButtonStyle = .automatic,
        showsPasswordForm: Bool = true,
        offersStoredCredentials: Bool = true
    ) {
        self.buttonLabel = buttonLabel
        self.buttonStyle = buttonStyle
        self.showsPasswordForm = showsPasswordForm
        self.offersStoredCredentials = offersStoredCredentials
    }
}
