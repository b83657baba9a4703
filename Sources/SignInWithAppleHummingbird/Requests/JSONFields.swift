import AppleIdentity
import Foundation

/// The members of a JSON object that a client sent, read with their types.
package struct JSONFields {
    package let object: JSONObject
    private let path: String

    package init(_ body: Data) throws(RefusedSignIn) {
        let value: JSONValue
        do {
            value = try JSONValue(parsing: body)
        } catch {
            throw .jsonUnreadable("the body is not JSON, or nested too deeply")
        }
        guard let object = value.objectValue else {
            throw .jsonUnreadable("the body is JSON, but not an object")
        }
        self.init(object, path: "")
    }

    private init(_ object: JSONObject, path: String) {
        self.object = object
        self.path = path
    }

    package func text(_ name: String) throws(RefusedSignIn) -> String {
        guard let text = try optionalText(name) else { throw .missingField(path + name) }
        return text
    }

    /// The text of a member; nil when it is missing or null.
    package func optionalText(_ name: String) throws(RefusedSignIn) -> String? {
        switch object[name] {
        case nil, .null: return nil
        case .string(let text): return text
        default: throw .invalidField(path + name, expected: "a text")
        }
    }

    /// Refuses members of other names.
    package func refuseOthers(than names: Set<String>) throws(RefusedSignIn) {
        guard object.names.allSatisfy(names.contains) else { throw .unknownField(known: names) }
    }

    /// The members of a member; nil when it is missing or null.
    package func optionalFields(_ name: String) throws(RefusedSignIn) -> JSONFields? {
        switch object[name] {
        case nil, .null: return nil
        case .object(let object): return JSONFields(object, path: path + name + ".")
        default: throw .invalidField(path + name, expected: "an object")
        }
    }
}
