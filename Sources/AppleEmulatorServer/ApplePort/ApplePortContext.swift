import Hummingbird
import NIOCore

/// What a request to Apple's port brings along: its connection, so that a fault can close it.
struct ApplePortContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    let channel: any Channel

    init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        channel = source.channel
    }
}
