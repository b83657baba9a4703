/// What entries of a state may refer to: all of that was read before them.
struct StateReferences: Sendable {
    var registry = ClientRegistry()
    var people = PeopleDirectory()
}

extension StateReferences {
    init(_ state: EmulatorState) {
        self.init(registry: state.registry, people: state.people)
    }
}
