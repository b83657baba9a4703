import Foundation

/// Where a running emulator listens.
package struct EmulatorAddresses: Sendable, Hashable {
    /// Apple's port.
    package let apple: URL
    /// The control port.
    package let control: URL

    package init(apple: URL, control: URL) {
        self.apple = apple
        self.control = control
    }
}
