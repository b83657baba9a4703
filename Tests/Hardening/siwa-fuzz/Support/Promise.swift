import Foundation

/// Ends the process when a condition is false, because libFuzzer then keeps the input.
func promise(_ holds: Bool, _ sentence: @autoclosure () -> String) {
    guard !holds else { return }
    FileHandle.standardError.write(Data("broken promise: \(sentence())\n".utf8))
    abort()
}
