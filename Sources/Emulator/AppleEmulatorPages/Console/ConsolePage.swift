import AppleIdentity

/// The content of a page of the console.
///
/// The members of the content have the names of the control port's JSON. A member that is null
/// or an empty string counts as missing, so a template's section can test for it.
package struct ConsolePage: Hashable, Sendable {
    package var section: ConsoleSection
    /// The title of the document, without the emulator's name; nil for the section's title.
    package var title: String?
    package var template: String
    package var content: JSONObject
    /// Whether the page frames a message, with the message's own colors and pictures.
    package var framesMail = false
    /// Whether the page draws parts of flows, which need their style sheet.
    package var drawsFlows = false
    /// Whether a script updates the page's lists.
    package var isLive = false
    /// Whether a script posts some forms as soon as they are changed.
    package var submitsChanges = false

    package init(
        _ section: ConsoleSection,
        title: String? = nil,
        template: String,
        content: JSONObject = [:]
    ) {
        (self.section, self.title, self.template) = (section, title, template)
        self.content = content
    }
}
