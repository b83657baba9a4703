/// What a person does at the keyboard of a terminal.
package enum Key: Hashable, Sendable {
    /// Something typed that can be seen.
    case text(String)
    /// Something pasted as one piece, line breaks included.
    case paste(String)
    /// A letter with the control key, in lower case: `c` for Control-C.
    case control(Character)
    case enter, tab, backTab, escape, backspace, delete
    case up, down, left, right, home, end, pageUp, pageDown
}
