import CLibFuzzer
import Foundation

/// One input for the target that the command line names; libFuzzer calls this by its name.
@_cdecl("LLVMFuzzerTestOneInput")
func testOneInput(_ bytes: UnsafePointer<UInt8>?, _ byteCount: Int) -> CInt {
    FuzzCommand.target.test(Data(UnsafeBufferPointer(start: bytes, count: byteCount)))
    return 0
}

switch CommandLine.arguments.dropFirst().first {
case "list"?: FuzzCommand.list()
case "seed"?: try FuzzCommand.seed()
case "check"?: try FuzzCommand.check()
default:
    _ = FuzzCommand.target
    // The target's name takes the place of the program's in what libFuzzer sees.
    var count = CommandLine.argc - 1
    var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? =
        CommandLine.unsafeArgv + 1
    exit(LLVMFuzzerRunDriver(&count, &arguments, testOneInput))
}
