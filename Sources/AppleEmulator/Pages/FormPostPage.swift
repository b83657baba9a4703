/// The page whose form carries Apple's answer to the app's redirect address.
package struct FormPostPage: Sendable {
    /// Where the form goes.
    package var redirectURI: String
    /// The name of the app that asked.
    package var appName: String
    /// The fields, in Apple's order.
    package var fields: [(name: String, value: String)]
}
