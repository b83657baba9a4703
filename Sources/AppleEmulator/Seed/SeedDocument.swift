import AppleIdentity
import Yams

/// A seed as text: knows the line of everything it says.
struct SeedDocument {
    /// The longest seed read, in bytes.
    static let byteCountMax = 1_024 * 1_024

    private let root: Node?

    init(yaml: String) throws(SeedError) {
        guard yaml.utf8.count <= Self.byteCountMax else {
            throw SeedError(line: nil, reason: "the seed is longer than \(Self.byteCountMax) bytes")
        }
        do {
            root = try Yams.compose(yaml: yaml)
        } catch let error as YamlError {
            throw SeedError(error, yaml: yaml)
        } catch {
            throw SeedError(line: nil, reason: "the seed can't be read: \(error)")
        }
    }

    func seed() throws(SeedError) -> Seed {
        var seed = Seed()
        guard let root else { return seed }
        guard case .mapping(let sections) = root else {
            throw SeedError(line: root.mark?.line, reason: "the seed must be an object")
        }
        for (name, entries) in sections {
            guard let kind = SeedKind.allCases.first(where: { $0.section == name.string }) else {
                let known = SeedKind.allCases.map(\.section).joined(separator: ", ")
                throw SeedError(
                    line: name.mark?.line,
                    reason: "\(name.string ?? "this") is not a section; known are \(known)"
                )
            }
            if entries.tag.rawValue == Tag.Name.null.rawValue { continue }
            guard case .sequence(let list) = entries else {
                throw SeedError(line: entries.mark?.line, reason: "\(kind.section) must be a list")
            }
            for entry in list { try add(entry, of: kind, to: &seed) }
        }
        return seed
    }

    private func add(_ entry: Node, of kind: SeedKind, to seed: inout Seed) throws(SeedError) {
        guard case .mapping(let mapping) = entry else {
            throw SeedError(line: entry.mark?.line, reason: "each of \(kind.section) is an object")
        }
        let object = try JSONValue(entry, depth: 0).objectValue ?? JSONObject()
        do throws(ControlRefusal) {
            switch kind {
            case .team: seed.teams.append(try SeedTeam(object))
            case .key: seed.keys.append(try SeedKey(object))
            case .app: seed.apps.append(try SeedApp(object))
            case .service:
                let service = try SeedService(object)
                try service.checkReturnURLs()
                seed.services.append(service)
            case .person: seed.people.append(try SeedPerson(object))
            }
        } catch {
            let field = mapping.first { $0.key.string == error.field }?.key
            throw SeedError(
                line: field?.mark?.line ?? entry.mark?.line,
                reason: "in \(kind.section): \(error.message)"
            )
        }
    }
}

extension SeedError {
    fileprivate init(_ error: YamlError, yaml: String) {
        switch error {
        case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
            .composer(_, let problem, let mark, _):
            self.init(line: mark.line, reason: problem)
        case .duplicatedKeysInMapping(let duplicates, let context):
            let names = duplicates.joined(separator: ", ")
            self.init(line: context.mark.line, reason: "\(names) is there twice")
        case .reader(let problem, let offset, _, _):
            let before = yaml.utf8.prefix(offset ?? 0)
            let line = before.count { $0 == UInt8(ascii: "\n") } + 1
            self.init(line: offset == nil ? nil : line, reason: problem)
        default:
            self.init(line: nil, reason: "the seed is not YAML: \(error)")
        }
    }
}

extension JSONValue {
    /// How deep a seed's objects may be nested.
    private static let depthMax = 8

    /// Reads a node as the JSON value that it stands for.
    fileprivate init(_ node: Node, depth: Int) throws(SeedError) {
        guard depth < Self.depthMax else {
            throw SeedError(line: node.mark?.line, reason: "this is nested too deeply")
        }
        switch node {
        case .scalar(let scalar):
            self = Self.value(of: scalar, node: node)
        case .sequence(let nodes):
            var values: [JSONValue] = []
            for node in nodes { values.append(try JSONValue(node, depth: depth + 1)) }
            self = .array(values)
        case .mapping(let pairs):
            var members: [JSONObject.Member] = []
            for (name, value) in pairs {
                guard let name = name.scalar?.string else {
                    throw SeedError(line: name.mark?.line, reason: "a field's name must be a text")
                }
                members.append(
                    JSONObject.Member(name: name, value: try JSONValue(value, depth: depth + 1))
                )
            }
            self = .object(JSONObject(members))
        case .alias:
            throw SeedError(line: node.mark?.line, reason: "aliases are not read here")
        }
    }

    private static func value(of scalar: Node.Scalar, node: Node) -> JSONValue {
        let tag = node.tag.rawValue
        if tag == Tag.Name.null.rawValue { return .null }
        if tag == Tag.Name.bool.rawValue, let value = node.bool { return .boolean(value) }
        if tag == Tag.Name.int.rawValue, let value = node.int { return .integer(value) }
        if tag == Tag.Name.float.rawValue, let value = node.float { return .number(value) }
        return .string(scalar.string)
    }
}
