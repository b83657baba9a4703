/// The address that an app gets to know.
struct DisclosedEmail: Hashable {
    let address: String
    let isVerified: Bool
    let isPrivate: Bool
}
