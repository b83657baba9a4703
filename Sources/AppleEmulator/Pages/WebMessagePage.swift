/// The page of a popup that hands Apple's answer to the page which opened it.
package struct WebMessagePage: Sendable {
    /// The message, a JSON text.
    package var message: String
    /// The only origin that may read it.
    package var targetOrigin: String
    /// The name of the app that asked.
    package var appName: String
}
