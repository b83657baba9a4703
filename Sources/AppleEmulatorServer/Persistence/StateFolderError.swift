/// Why a folder can't hold an emulator's state.
package struct StateFolderError: Error, Hashable, CustomStringConvertible {
    /// The file or folder, and what is wrong with it, in one line.
    package let message: String
    /// What fixes it.
    package let hint: String

    init(_ message: String, hint: String) {
        self.message = message
        self.hint = hint
    }

    package var description: String { message }
}
