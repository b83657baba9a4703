import Foundation

/// An entry of the console's navigation.
package enum ConsoleSection: String, CaseIterable, Sendable {
    case overview, flows, people, apps, keys, inbox, notifications, clock, faults, requests

    package var title: String { self == .faults ? "Faults & switches" : rawValue.capitalized }

    package var path: String {
        switch self {
        case .overview: "/"
        case .flows: "/flows"
        default: "/console/" + rawValue
        }
    }
}
