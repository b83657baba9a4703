import Foundation
import JuiceApp

/// The content of a page: texts and actions, from top to bottom.
struct TerminalPage<Action: Sendable>: Sendable {
    var title: String
    var speaker = PageSpeaker.app
    /// The problem of the last action.
    var problem: JuiceProblem?
    /// The success of the last action.
    var notice: String?
    var items: [PageItem<Action>]

    var choices: [(label: String, action: Action, fields: [PageField])] {
        items.compactMap { item in
            if case .action(let label, let action, let fields) = item {
                (label, action, fields)
            } else {
                nil
            }
        }
    }
}

/// The source of a page: the app, or the device it runs on.
enum PageSpeaker: Sendable {
    case app, device

    var name: String { self == .app ? JuiceTexts.appName : "Simulated device" }
}

enum PageItem<Action: Sendable>: Sendable {
    case text(String)
    /// A text after an empty line; an empty one separates actions.
    case heading(String)
    case fact(label: String, value: String)
    /// An action, which asks for the values of its fields.
    case action(label: String, Action, fields: [PageField] = [])
}

/// A text field or a choice.
struct PageField: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
        case text, secret
        case choice([String])
    }

    var name: String
    var label: String
    var value = ""
    var kind = Kind.text

    static func text(_ name: String, _ label: String, _ value: String? = nil) -> PageField {
        PageField(name: name, label: label, value: value ?? "")
    }

    static func secret(_ name: String, _ label: String) -> PageField {
        PageField(name: name, label: label, kind: .secret)
    }
}

enum FieldName {
    static let username = "username"
    static let password = "password"
    static let newPassword = "newPassword"
    static let name = "name"
    static let givenName = "givenName"
    static let familyName = "familyName"
    static let email = "email"
}

/// The chosen action, and the values by field name.
struct PageAnswer<Action: Sendable>: Sendable {
    var action: Action
    var values: [String: String]

    /// The value of a field, without surrounding whitespace.
    subscript(_ field: String) -> String {
        (values[field] ?? "").trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
