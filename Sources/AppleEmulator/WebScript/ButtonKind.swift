/// Which of the three titles a button has; the names are those of the data attribute.
package enum ButtonKind: String, CaseIterable, Sendable {
    case signIn = "sign-in"
    case continuing = "continue"
    case signUp = "sign-up"
}
