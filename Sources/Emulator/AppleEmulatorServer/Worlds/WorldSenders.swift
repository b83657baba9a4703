import AppleEmulator
import AppleIdentity
import Logging
import ServiceLifecycle

/// Sends each named world's notifications and replies until the world ends.
struct WorldSenders: Service {
    let worlds: Worlds
    /// The mail server that replies are sent to; nil only stores them.
    let server: MailServerAddress?
    let time: TimeSource
    let logger: Logger

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
            // Each ends only by cancellation, or with the world.
            group.addTask { try? await worlds.endIdle(world) }
            group.addTask {
                try? await NotificationSender(emulator: emulator, time: time, logger: logger).run()
            }
            if let server {
                group.addTask {
                    let sender = OutgoingMailSender(
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
