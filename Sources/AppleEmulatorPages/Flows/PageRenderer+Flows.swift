import AppleEmulator

/// The pages of sign-ins.
extension PageRenderer {
    /// The list of all sign-ins, a page that keeps itself up to date.
    package func render(_ stories: [FlowStory], in frame: ConsoleFrame) -> String {
        render(FlowContent(stories).values, template: "flows", section: .flows, in: frame)
    }

    /// A sign-in, drawn on a page that keeps itself up to date.
    package func render(_ story: FlowStory, in frame: ConsoleFrame) -> String {
        render(FlowContent(story).values, template: "flow", section: .flows, in: frame)
    }

    /// A sign-in, drawn in one file that needs nothing else.
    package func renderFile(_ story: FlowStory) -> String {
        var values = FlowContent(story).values
        values["policy"] = PageSecurity.flowFilePolicy
        return draw("flow-file", values)
    }
}
