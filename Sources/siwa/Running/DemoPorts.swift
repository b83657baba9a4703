/// The ports of the demo, each known before anything starts, since its servers name each other.
struct DemoPorts: Sendable {
    let server: Int
    let apple: Int
    let control: Int
    let smtp: Int

    var all: [Int] { [server, apple, control, smtp] }
}
