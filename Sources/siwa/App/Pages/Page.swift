import Foundation
import JuiceApp

/// The content of the terminal: texts, forms and actions, from top to bottom.
///
/// A face shows it as a screen or as line-by-line prompts.
struct Page<Action: Sendable>: Sendable {
    /// A stable name: typed values stay while the page's name is the same.
    var name: String
    var title: String
    var speaker = PageSpeaker.app
    /// The problem of the last action.
    var problem: JuiceProblem?
    /// The success of the last action.
    var notice: String?
    var items: [PageItem<Action>]
    /// The action of the escape key.
    var cancel: Action?
}

/// The source of a page: the app, or the device it runs on.
enum PageSpeaker: Sendable {
    static let deviceName = "Simulated device"

    case app, device
}

enum PageItem<Action: Sendable>: Sendable {
    case text(String)
    case heading(String)
    case fact(label: String, value: String)
    /// An explanation of the previous item.
    case note(String)
    case form([PageField], label: String, Action)
    case action(label: String, Action)
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

extension Page {
    /// The page with a number for each action, because a face does not know the action types.
    func numbered() -> (page: Page<Int>, actions: [Action]) {
        var actions: [Action] = []
        func number(_ action: Action) -> Int {
            actions.append(action)
            return actions.count - 1
        }
        let items: [PageItem<Int>] = items.map { item in
            switch item {
            case .text(let text): .text(text)
            case .heading(let text): .heading(text)
            case .fact(let label, let value): .fact(label: label, value: value)
            case .note(let text): .note(text)
            case .form(let fields, let label, let action):
                .form(fields, label: label, number(action))
            case .action(let label, let action): .action(label: label, number(action))
            }
        }
        let page = Page<Int>(
            name: name,
            title: title,
            speaker: speaker,
            problem: problem,
            notice: notice,
            items: items,
            cancel: cancel.map(number)
        )
        return (page, actions)
    }
}
