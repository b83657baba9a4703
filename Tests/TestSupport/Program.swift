import Foundation

/// Runs a program of the system to its end.
///
/// - Parameters:
///   - name: the program, which is looked for as a shell does.
///   - arguments: what to tell it.
/// - Returns: the exit code, and all that it wrote.
/// - Throws: when it can't be started.
public func runProgram(_ name: String, _ arguments: [String]) throws -> (code: Int32, words: String)
{
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [name] + arguments
    let output = Pipe()
    process.standardOutput = output
    process.standardError = output
    process.standardInput = FileHandle.nullDevice
    try process.run()
    let words = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: words, as: UTF8.self))
}
