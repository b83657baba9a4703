import AppleIdentity

extension EmulatorState {
    func writeBehaviour(to document: inout StateDocument) {
        document["switches"] = .object(switches.object)
        document["chaos"] = chaos.map { .object($0.document) }
        document["faults"] = .array(faults.faults.map { .object($0.document) })
        document["notification_settings"] = .object(notificationSettings.object)
    }

    mutating func readBehaviour(
        _ document: StateDocument,
        _ fields: FieldReader
    ) throws(ControlRefusal) {
        if let object = try fields.optionalObject("switches") {
            do throws(ControlRefusal) {
                try switches.change(object)
            } catch {
                throw error.within("switches")
            }
        }
        if let object = try fields.optionalObject("notification_settings") {
            do throws(ControlRefusal) {
                try notificationSettings.change(object)
            } catch {
                throw error.within("notification_settings")
            }
        }
        try document.each("faults") { object throws(ControlRefusal) in
            try faults.restore(object)
        }
        guard let object = try fields.optionalObject("chaos") else { return }
        do throws(ControlRefusal) {
            var story = chaos ?? Chaos(seed: 0)
            try story.goOn(after: object)
            if chaos != nil { chaos = story }
        } catch {
            throw error.within("chaos")
        }
    }
}

extension Chaos {
    fileprivate var document: JSONObject {
        let counts = counts.sorted { $0.key < $1.key }
        return [
            "seed": .string(String(seed)),
            "counts": .array(
                counts.map { ["endpoint": .string($0.key), "count": .string(String($0.value))] }
            ),
        ]
    }

    /// Goes on where the same story was left; another seed begins its own.
    fileprivate mutating func goOn(after object: JSONObject) throws(ControlRefusal) {
        let fields = try FieldReader(object, known: ["seed", "counts"])
        guard try fields.largeNumber("seed") == seed else { return }
        for value in fields.value("counts")?.arrayValue ?? [] {
            let entry = try FieldReader(value.objectValue ?? [:], known: ["endpoint", "count"])
            counts[try entry.opaque("endpoint") ?? ""] = try entry.largeNumber("count")
        }
    }
}

extension Fault {
    fileprivate static let generatorName = "generator_state"

    fileprivate var document: JSONObject {
        var object = object
        if probability < 1 { object[Self.generatorName] = .string(String(generator.state)) }
        return object
    }
}

extension FaultStore {
    fileprivate mutating func restore(_ object: JSONObject) throws(ControlRefusal) {
        var object = object
        let rest = object.extract([Fault.generatorName])
        _ = try add(object)
        guard let index = faults.indices.last, !rest.members.isEmpty else { return }
        let fields = try FieldReader(rest, known: [Fault.generatorName])
        let position = try fields.largeNumber(Fault.generatorName)
        faults[index].generator = SeededGenerator(seed: position)
    }
}
