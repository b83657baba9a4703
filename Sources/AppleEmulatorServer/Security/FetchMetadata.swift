import HTTPTypes

/// What a browser tells of the page that made it send a request; nothing from other programs.
///
/// Source: [Fetch Metadata Request Headers](https://www.w3.org/TR/fetch-metadata/)
struct FetchMetadata {
    /// `same-origin`, `same-site`, `cross-site`, or `none` for what the person typed or opened.
    let site: String?
    private let mode: String?
    private let destination: String?

    init(_ fields: HTTPFields) {
        func value(_ name: String) -> String? { HTTPField.Name(name).flatMap { fields[$0] } }
        site = value("Sec-Fetch-Site")
        mode = value("Sec-Fetch-Mode")
        destination = value("Sec-Fetch-Dest")
    }

    /// Whether it leads to a page, in the window or in a frame.
    var isNavigation: Bool { mode == "navigate" }

    /// Whether a page of another site sends it without leading the person there.
    var isHiddenFromPerson: Bool {
        guard site == "cross-site" else { return false }
        return !isNavigation || !["document", nil].contains(destination)
    }
}
