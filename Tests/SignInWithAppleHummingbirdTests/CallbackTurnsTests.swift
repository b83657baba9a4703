import Synchronization
import Testing

@testable import SignInWithApple

@Suite struct CallbackTurnsTests {
    private final class Order: Sendable {
        private let names = Mutex<[String]>([])

        var all: [String] { names.withLock(\.self) }

        func add(_ name: String) { names.withLock { $0.append(name) } }
    }

    @Test("Callbacks of one sign-in wait for each other, those of others do not")
    func turns() async {
        let turns = CallbackTurns()
        let order = Order()
        let waiting = await turns.run("a") {
            let second = Task.immediate { await turns.run("a") { order.add("second") } }
            await turns.run("b") { order.add("other") }
            order.add("first")
            return second
        }
        await waiting.value
        await turns.run("a") { order.add("later") }
        #expect(order.all == ["other", "first", "second", "later"])
    }
}
