import Foundation
import JuiceApp

/// What stands on the terminal: texts, forms and actions, from top to bottom.
///
/// A face draws it as a screen or asks it line by line.
struct Page<Action: Sendable>: Sendable {
    /// A stable name: what was typed stays while the page has the same one.
    var name: String
    var title: String
    var speaker = PageSpeaker.app
    /// What went wrong last.
    var problem: JuiceProblem?
    /// What was done last.
    var notice: String?
    var items: [PageItem<Action>]
    /// What the escape key does.
    var cancel: Action?
}

/// Who speaks on a page: the app, or the device it runs on.
enum PageSpeaker: Sendable {
    static let deviceName = "Simulated device"

    case app, device
}

enum PageItem<Action: Sendable>: Sendable {
    case text(String)
    case heading(String)
    case fact(label: String, value: String)
    /// An explanation of what stands in front of it.
    case note(String)
    case form([PageField], label: String, Action)
    case action(label: String, Action)
}

/// Something to type or to choose.
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

/// What the person chose, and what they typed, by the names of the fields.
struct PageAnswer<Action: Sendable>: Sendable {
    var action: Action
    var values: [String: String]

    /// What was typed into a field, without blanks around it.
    subscript(_ field: String) -> String {
        (values[field] ?? "").trimmingCharacters(in: .whitespacesAndNewlines)
    }
}

extension Page {
    /// The same page with a number for each action, for a face, which knows no actions.
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
