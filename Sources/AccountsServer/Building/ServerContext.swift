import Hummingbird
import Logging

/// What goes along with one request.
struct ServerContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    /// The address the connection comes from; a proxy's when there is one in front.
    let peer: String?

    init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        peer = source.channel.remoteAddress?.ipAddress
    }
}
