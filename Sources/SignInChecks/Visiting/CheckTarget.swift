import Foundation

/// The server to be examined, in the least words that its author has to say.
package struct CheckTarget: Hashable, Sendable {
    /// Where a sign-in begins, or the page with the button.
    package let start: URL
    /// Tells whether somebody is signed in, and who.
    package let whoAmI: URL
    /// The emulator's control port.
    package let control: URL
    /// Where Apple's pages are, when the server sends browsers to Apple's own names; nil takes its word.
    package let apple: URL?
    /// What deletes the account of whoever is signed in; nil when nobody said.
    package let deletion: CheckDeletion?
    /// More names of parameters that may lead the browser elsewhere after a sign-in.
    package let returnParameters: [String]

    package init(
        start: URL,
        whoAmI: URL,
        control: URL,
        apple: URL? = nil,
        deletion: CheckDeletion? = nil,
        returnParameters: [String] = []
    ) {
        self.start = start
        self.whoAmI = whoAmI
        self.control = control
        self.apple = apple
        self.deletion = deletion
        self.returnParameters = returnParameters
    }
}

/// The request that deletes an account, or the page with the form for it.
package struct CheckDeletion: Hashable, Sendable {
    /// `GET` opens a page, whose form is sent.
    package let method: String
    /// Where it goes.
    package let url: URL

    package init(method: String, url: URL) {
        self.method = method
        self.url = url
    }
}
