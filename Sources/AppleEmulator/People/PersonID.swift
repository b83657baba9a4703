/// A person inside the emulator; an address that was deleted and made again is someone else.
struct PersonID: Hashable {
    let number: Int

    /// Stands where nobody is named yet.
    static let nobody = PersonID(number: 0)
}
