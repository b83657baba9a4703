/// A JSON object that keeps the order of its members, as Apple's own tokens have one.
public struct JSONObject: Hashable, Sendable, ExpressibleByDictionaryLiteral {
    /// One name and its value.
    public struct Member: Hashable, Sendable {
        /// The member's name.
        public var name: String
        /// The member's value.
        public var value: JSONValue

        /// Makes a member.
        public init(name: String, value: JSONValue) {
            self.name = name
            self.value = value
        }
    }

    /// The members, in order.
    public private(set) var members: [Member]

    /// Makes an object of these members.
    public init(_ members: [Member] = []) {
        self.members = members
    }

    /// Makes an object from a literal, in the order written.
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        members = elements.map { Member(name: $0.0, value: $0.1) }
    }

    /// The value of a member; setting one that is there keeps its place, setting nil removes it.
    public subscript(name: String) -> JSONValue? {
        get { members.first { $0.name == name }?.value }
        set {
            let index = members.firstIndex { $0.name == name }
            switch (index, newValue) {
            case (let index?, let value?): members[index].value = value
            case (let index?, nil): members.remove(at: index)
            case (nil, let value?): members.append(Member(name: name, value: value))
            case (nil, nil): break
            }
        }
    }

    /// The members' names, in order.
    public var names: [String] { members.map(\.name) }
}
