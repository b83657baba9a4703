import Hummingbird

/// Chooses by which of its names a request reached the server.
struct OriginChoice: Sendable {
    private let first: WebOrigin
    private let all: [WebOrigin]

    init(_ origins: [WebOrigin]) throws(ConfigurationError) {
        guard let first = origins.first else {
            throw ConfigurationError("SIWA_PUBLIC_URL", "is not set", fix: "set it")
        }
        self.first = first
        all = origins
    }

    /// The origin that the `Host` field names; the first one when it names none.
    func origin(of request: Request) -> WebOrigin {
        guard let authority = request.head.authority else { return first }
        return all.first { $0.matches(authority: authority) } ?? first
    }
}
