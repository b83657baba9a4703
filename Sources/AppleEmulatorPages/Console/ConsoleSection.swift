import HTMLPages

/// An entry of the console's navigation.
package enum ConsoleSection: String, CaseIterable, Sendable {
    case overview, flows, people, apps, keys, inbox, notifications, clock, faults, requests

    package func title(in words: PageStrings) -> String { words["section-\(rawValue)"] }

    package var path: String {
        switch self {
        case .overview: "/"
        case .flows: "/flows"
        default: "/console/" + rawValue
        }
    }
}
