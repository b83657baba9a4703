import HTTPTypes
import Hummingbird

/// Tells a change asked for from an own page from one that another site made the browser send.
struct BrowserGuard: Sendable {
    private static let fetchSite = HTTPField.Name("Sec-Fetch-Site")

    let origins: OriginChoice

    /// Refuses a change that does not come from an own page.
    ///
    /// Our pages send no referrer, for which browsers write `Origin: null` into forms; the newer
    /// `Sec-Fetch-Site` is unaffected, so that it decides wherever it is there.
    /// Source: [Fetch Metadata Request Headers](https://www.w3.org/TR/fetch-metadata/#sec-fetch-site-header)
    func check(_ request: Request) throws(ServerError) {
        if let name = Self.fetchSite, let site = request.headers[name] {
            guard site == "same-origin" else { throw .crossSiteRequest }
        } else {
            let own = origins.origin(of: request).serialized
            guard request.headers[.origin] == own else { throw .crossSiteRequest }
        }
    }
}
