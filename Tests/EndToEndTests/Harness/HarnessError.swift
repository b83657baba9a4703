/// Why a part of the harness could not do its work, in words for who reads the failed test.
struct HarnessError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
