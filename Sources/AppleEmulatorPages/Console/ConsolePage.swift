import AppleIdentity

/// One page of the console: what it shows, not how.
///
/// The template finds the members of the content under the names that the control port's JSON has.
/// A member that is null or an empty text counts as missing, so that a section can ask for it.
package struct ConsolePage: Hashable, Sendable {
    package var section: ConsoleSection
    /// The title of the document, without the emulator's name.
    package var title: String
    package var template: String
    package var content: JSONObject
    /// Whether it frames a mail, whose own colors and pictures shall show.
    package var framesMail = false
    /// Whether it draws parts of flows, which have a style of their own.
    package var drawsFlows = false

    /// Makes a page; without a title it has the section's.
    package init(
        _ section: ConsoleSection,
        title: String? = nil,
        template: String,
        content: JSONObject = [:]
    ) {
        self.section = section
        self.title = title ?? section.title
        self.template = template
        self.content = content
    }
}
