import Foundation

/// Ends the process when something does not hold, so that libFuzzer keeps the input.
func promise(_ holds: Bool, _ sentence: @autoclosure () -> String) {
    guard !holds else { return }
    FileHandle.standardError.write(Data("broken promise: \(sentence())\n".utf8))
    abort()
}
