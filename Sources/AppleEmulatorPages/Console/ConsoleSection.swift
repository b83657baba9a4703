/// An entry of the console's navigation.
package enum ConsoleSection: String, CaseIterable, Sendable {
    case overview, flows, people, apps, keys, inbox, notifications, clock, faults, requests

    package var title: String {
        switch self {
        case .faults: "Faults & switches"
        default: rawValue.prefix(1).uppercased() + rawValue.dropFirst()
        }
    }

    package var path: String {
        switch self {
        case .overview: "/"
        case .flows: "/flows"
        default: "/console/" + rawValue
        }
    }
}
