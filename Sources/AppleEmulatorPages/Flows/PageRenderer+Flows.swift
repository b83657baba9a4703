import AppleEmulator
import HTMLPages

extension PageRenderer {
    /// Renders the list of all sign-ins, a page that updates itself.
    package func render(_ flows: [FlowSnapshot], in frame: ConsoleFrame) -> String {
        let words = consoleWords(of: frame.language)
        return render(
            FlowContent(flows.map { FlowStory($0, words) }, words).values,
            template: "flows",
            section: .flows,
            in: frame
        )
    }

    /// Renders a sign-in on a page that updates itself.
    package func render(_ flow: FlowSnapshot, in frame: ConsoleFrame) -> String {
        let story = FlowStory(flow, consoleWords(of: frame.language))
        return render(FlowContent(story).values, template: "flow", section: .flows, in: frame)
    }

    /// Renders a sign-in as one self-contained file.
    package func renderFile(_ flow: FlowSnapshot, in language: PageLanguage = .english) -> String {
        var values = FlowContent(FlowStory(flow, consoleWords(of: language))).values
        values["policy"] = PageSecurity.flowFilePolicy
        return draw("flow-file", values.merging(consoleFrame(language)) { own, _ in own })
    }
}
