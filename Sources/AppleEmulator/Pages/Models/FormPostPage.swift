/// The page whose form carries Apple's answer to the app's redirect address.
package struct FormPostPage: Sendable {
    /// One field of the form.
    package struct Field: Sendable, Hashable {
        package var name: String
        package var value: String

        package init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// Where the form goes.
    package var redirectURI: String
    /// The name of the app that asked.
    package var appName: String
    /// The fields, in Apple's order.
    package var fields: [Field]

    package init(redirectURI: String, appName: String, fields: [Field]) {
        self.redirectURI = redirectURI
        self.appName = appName
        self.fields = fields
    }
}
