import AppleEmulator

extension EmulatorPageRenderer {
    /// Renders the list of all sign-ins, a page that updates itself.
    package func render(_ flows: [FlowSnapshot], in frame: ConsoleFrame) -> String {
        render(
            FlowContent(flows.map(FlowStory.init)).values,
            template: "flows",
            section: .flows,
            in: frame
        )
    }

    /// Renders a sign-in on a page that updates itself.
    package func render(_ flow: FlowSnapshot, in frame: ConsoleFrame) -> String {
        let story = FlowStory(flow)
        return render(FlowContent(story).values, template: "flow", section: .flows, in: frame)
    }

    /// Renders a sign-in as one self-contained file.
    package func renderFile(_ flow: FlowSnapshot) -> String {
        var values = FlowContent(FlowStory(flow)).values
        values["policy"] = PageSecurity.flowFilePolicy
        return draw("flow-file", values)
    }
}
