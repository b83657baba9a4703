/// The list of all checks, for documents.
package enum CheckList {
    /// The list as tables in Markdown, by topic.
    package static var markdown: String {
        SignInCheck.Topic.allCases.map(table).joined(separator: "\n\n")
    }

    private static func table(_ topic: SignInCheck.Topic) -> String {
        let rows = SignInCheck.all.filter { $0.topic == topic }.map { check in
            "| `\(check.name)` | \(check.attempt) | \(check.expectation)"
                + " | [\(check.source.title)](\(check.source.address)) |"
        }
        return """
            ### \(topic.rawValue)

            | name | what is sent | what is expected | source |
            |---|---|---|---|

            """ + rows.joined(separator: "\n")
    }
}
