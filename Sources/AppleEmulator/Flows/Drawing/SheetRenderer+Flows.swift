extension SheetRenderer {
    /// The list of all sign-ins as a complete HTML document.
    package func render(_ stories: [FlowStory]) -> String {
        render(FlowContent(stories).values, template: "flows")
    }

    /// A sign-in as a complete HTML document.
    package func render(_ story: FlowStory, as purpose: FlowPurpose) -> String {
        render(FlowContent(story, purpose: purpose).values, template: "flow")
    }
}
