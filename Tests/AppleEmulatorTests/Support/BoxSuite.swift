/// A suite whose tests each have an emulator of their own.
class BoxSuite {
    let box: Box

    init() async throws { box = try await Box() }
}
