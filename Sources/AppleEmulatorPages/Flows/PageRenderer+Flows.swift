import AppleEmulator

extension PageRenderer {
    /// The list of all sign-ins, a page that keeps itself up to date.
    package func render(_ flows: [FlowSnapshot], in frame: ConsoleFrame) -> String {
        render(
            FlowContent(flows.map(FlowStory.init)).values,
            template: "flows",
            section: .flows,
            in: frame
        )
    }

    /// A sign-in, drawn on a page that keeps itself up to date.
    package func render(_ flow: FlowSnapshot, in frame: ConsoleFrame) -> String {
        render(FlowContent(FlowStory(flow)).values, template: "flow", section: .flows, in: frame)
    }

    /// A sign-in, drawn in one file that needs nothing else.
    package func renderFile(_ flow: FlowSnapshot) -> String {
        var values = FlowContent(FlowStory(flow)).values
        values["policy"] = PageSecurity.flowFilePolicy
        return draw("flow-file", values)
    }
}
