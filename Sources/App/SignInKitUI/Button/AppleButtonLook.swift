/// The label of the button.
///
/// The system localizes it.
public enum AppleButtonLabel: Hashable, Sendable, CaseIterable {
    /// "Sign in with Apple".
    case signIn
    /// "Sign up with Apple".
    case signUp
    /// "Continue with Apple".
    case `continue`
}

/// The colours of Apple's button.
///
/// Source: [Sign in with Apple](https://developer.apple.com/design/human-interface-guidelines/sign-in-with-apple)
public enum AppleButtonStyle: Hashable, Sendable, CaseIterable {
    /// Black on light backgrounds, white on dark ones.
    case automatic
    /// White; with an outline in light mode.
    case outlined
    /// Black on every background.
    case black
    /// White on every background.
    case white

    /// The styles that the system can draw.
    enum Shown: Hashable, Sendable {
        case black, white, whiteOutline
    }

    /// What is drawn on a background; the outlined style is for light ones only.
    func shown(isDark: Bool) -> Shown {
        switch self {
        case .automatic: isDark ? .white : .black
        case .outlined: isDark ? .white : .whiteOutline
        case .black: .black
        case .white: .white
        }
    }
}

/// The properties of the system's button, which cannot change: other properties need a new button.
struct AppleButtonLook: Hashable, Sendable {
    let label: AppleButtonLabel
    let shown: AppleButtonStyle.Shown
}
