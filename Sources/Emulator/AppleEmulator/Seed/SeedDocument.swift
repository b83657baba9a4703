import AppleIdentity
import Yams

/// A seed in YAML, whose errors have a line number.
struct SeedDocument {
    static let maximumByteCount = 1_024 * 1_024

    private static let lists = SeedKind.allCases.map(\.section) + ["faults"]
    private static let settings = ["notifications", "switches"]

    private let root: Node?

    init(yaml: String) throws(SeedError) {
        guard yaml.utf8.count <= Self.maximumByteCount else {
            throw SeedError(
                line: nil,
                reason: "the seed is longer than \(Self.maximumByteCount) bytes"
            )
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
        for (name, node) in sections { try read(node, of: name, into: &seed) }
        try checkTogether(seed)
        return seed
    }

    private func read(_ node: Node, of name: Node, into seed: inout Seed) throws(SeedError) {
        let section = name.string ?? "this"
        let isList = Self.lists.contains(section)
        guard isList || Self.settings.contains(section) else {
            let known = (Self.lists + Self.settings).joined(separator: ", ")
            throw SeedError(
                line: name.mark?.line,
                reason: "\(section) is not a known section; known sections: \(known)"
            )
        }
        if node.tag.rawValue == Tag.Name.null.rawValue { return }
        guard let entries = isList ? node.sequence.map(Array.init) : [node] else {
            throw SeedError(line: node.mark?.line, reason: "\(section) must be a list")
        }
        for entry in entries {
            guard case .mapping = entry, let object = try JSONValue(entry, depth: 0).objectValue
            else {
                let problem =
                    isList
                    ? "each entry of \(section) must be an object" : "\(section) must be an object"
                throw SeedError(line: entry.mark?.line, reason: problem)
            }
            do throws(ControlRefusal) {
                try seed.add(object, to: section)
            } catch {
                throw Self.error(error, in: entry, of: section)
            }
        }
    }

    private static func error(
        _ refusal: ControlRefusal,
        in entry: Node,
        of section: String
    ) -> SeedError {
        let field = entry.mapping?.first { $0.key.string == refusal.field }?.key
        return SeedError(
            line: field?.mark?.line ?? entry.mark?.line,
            reason: "in \(section): \(refusal.message)"
        )
    }

    /// Checks for entries that contradict each other, while their lines are known.
    private func checkTogether(_ seed: Seed) throws(SeedError) {
        var registry = ClientRegistry()
        var people = PeopleDirectory()
        var mailSources = MailSourceStore()
        try check(.team, seed.teams) { _ = try registry.add($0) }
        for isPrimary in [true, false] {
            try check(.app, seed.apps) { app in
                guard (app.primaryClientID == nil) == isPrimary else { return }
                _ = try registry.add(app)
            }
        }
        try check(.service, seed.services) { _ = try registry.add($0) }
        try check(.key, seed.keys) { _ = try registry.add($0) }
        try check(.person, seed.people) {
            try registry.check($0)
            _ = try people.add($0)
        }
        try check(.mailSource, seed.mailSources) {
            _ = try mailSources.add($0, teams: registry.teams)
        }
    }

    private func check<Entry>(
        _ kind: SeedKind,
        _ entries: [Entry],
        _ add: (Entry) throws -> Void
    ) throws(SeedError) {
        for (index, entry) in entries.enumerated() {
            do {
                try add(entry)
            } catch {
                let error = ControlRefusal(error)
                guard let node = root?.mapping?[kind.section]?.sequence?[index] else {
                    throw SeedError(line: nil, reason: error.message)
                }
                throw Self.error(error, in: node, of: kind.section)
            }
        }
    }
}

extension Seed {
    /// Adds an entry of a list, or changes settings.
    fileprivate mutating func add(_ object: JSONObject, to section: String) throws(ControlRefusal) {
        switch section {
        case SeedKind.team.section: teams.append(try SeedTeam(object))
        case SeedKind.key.section: keys.append(try SeedKey(object))
        case SeedKind.app.section: apps.append(try SeedApp(object))
        case SeedKind.service.section: services.append(try SeedService(object))
        case SeedKind.person.section: people.append(try SeedPerson(object))
        case SeedKind.mailSource.section: mailSources.append(try SeedMailSource(object))
        case "notifications": try notificationSettings.change(object)
        case "switches":
            var switches = EmulatorSwitches(EmulatorConfiguration())
            try switches.change(object)
            self.switches = object
        default:
            var store = FaultStore()
            for fault in faults + [object] { _ = try store.add(Fault(fault)) }
            faults.append(object)
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
            self.init(line: context.mark.line, reason: "\(names) is repeated")
        case .reader(let problem, let offset, _, _):
            let before = yaml.utf8.prefix(offset ?? 0)
            let line = before.count { $0 == UInt8(ascii: "\n") } + 1
            self.init(line: offset == nil ? nil : line, reason: problem)
        default: self.init(line: nil, reason: "the seed is not YAML: \(error)")
        }
    }
}

extension JSONValue {
    private static let maximumDepth = 8

    fileprivate init(_ node: Node, depth: Int) throws(SeedError) {
        guard depth < Self.maximumDepth else {
            throw SeedError(line: node.mark?.line, reason: "this is nested too deeply")
        }
        switch node {
        case .scalar(let scalar): self = Self.value(of: scalar, node: node)
        case .sequence(let nodes):
            var values: [JSONValue] = []
            for node in nodes { values.append(try JSONValue(node, depth: depth + 1)) }
            self = .array(values)
        case .mapping(let pairs):
            var members: [JSONObject.Member] = []
            for (name, value) in pairs {
                guard let name = name.scalar?.string else {
                    throw SeedError(line: name.mark?.line, reason: "a field name must be a string")
                }
                members.append(
                    JSONObject.Member(name: name, value: try JSONValue(value, depth: depth + 1))
                )
            }
            self = .object(JSONObject(members))
        case .alias: throw SeedError(line: node.mark?.line, reason: "aliases are not supported")
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
