import AppleIdentity
import Foundation

/// The members of a JSON object that a client sent, read with their types.
struct JSONFields {
    let object: JSONObject
    private let path: String

    init(_ body: Data) throws(ServerError) {
        let value: JSONValue
        do {
            value = try JSONValue(parsing: body)
        } catch {
            throw .unreadableJSON("the body is not JSON, or nested too deeply")
        }
        guard let object = value.objectValue else {
            throw .unreadableJSON("the body is JSON, but not an object")
        }
        self.init(object, path: "")
    }

    private init(_ object: JSONObject, path: String) {
        self.object = object
        self.path = path
    }

    func text(_ name: String) throws(ServerError) -> String {
        guard let text = try optionalText(name) else { throw .missingField(path + name) }
        return text
    }

    /// The text of a member; nil when it is missing or null.
    func optionalText(_ name: String) throws(ServerError) -> String? {
        switch object[name] {
        case nil, .null: return nil
        case .string(let text): return text
        default: throw .invalidField(path + name, expected: "a text")
        }
    }

    /// Refuses members of other names.
    func refuseOthers(than names: Set<String>) throws(ServerError) {
        guard object.names.allSatisfy(names.contains) else { throw .unknownField(known: names) }
    }

    /// The members of a member; nil when it is missing or null.
    func optionalFields(_ name: String) throws(ServerError) -> JSONFields? {
        switch object[name] {
        case nil, .null: return nil
        case .object(let object): return JSONFields(object, path: path + name + ".")
        default: throw .invalidField(path + name, expected: "an object")
        }
    }
}
