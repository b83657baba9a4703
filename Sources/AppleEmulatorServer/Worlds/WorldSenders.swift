import AppleEmulator
import AppleIdentity
import Logging
import ServiceLifecycle

/// Sends each named world's notifications and people's answers, from its first use to its end.
struct WorldSenders: Service {
    let worlds: Worlds
    /// The mail server that people's answers are handed to; nil keeps them.
    let server: MailServerAddress?
    let time: TimeSource
    let logger: Logger

    /// Sends until the service shuts down.
    func run() async throws {
        await cancelWhenGracefulShutdown {
            await withDiscardingTaskGroup { group in
                for await world in worlds.made { group.addTask { await send(for: world) } }
            }
        }
    }

    private func send(for world: World) async {
        let emulator = world.emulator
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                // It ends by being cancelled alone.
                try? await NotificationSender(emulator: emulator, time: time, logger: logger).run()
            }
            if let server {
                group.addTask {
                    let sender = MailSender(
                        emulator: emulator,
                        server: server,
                        time: time,
                        logger: logger
                    )
                    try? await sender.run()
                }
            }
            await world.end.wait()
            group.cancelAll()
        }
    }
}
