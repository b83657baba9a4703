/// Why a folder can't hold an emulator's state.
package struct StateFolderError: Error, Hashable, CustomStringConvertible {
    /// The file or folder, and what is wrong with it, in one line.
    package let message: String
    /// What fixes it.
    package let hint: String
    /// Whether it is only that another emulator uses the folder.
    package let isInUse: Bool

    init(_ message: String, hint: String, isInUse: Bool = false) {
        self.message = message
        self.hint = hint
        self.isInUse = isInUse
    }

    package var description: String { message }
}
