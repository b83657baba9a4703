import AppleIdentity

/// What Apple gave the browser for the redirect address; Apple does not see it arrive.
struct FlowHandover {
    let redirectURI: String
    let mode: ResponseMode
    let fields: [AuthorizationResponse.Field]

    /// How much it weighs, in bytes.
    var byteCount: Int {
        fields.reduce(redirectURI.utf8.count) { $0 + $1.name.utf8.count + $1.value.utf8.count }
    }
}
